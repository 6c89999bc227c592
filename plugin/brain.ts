import { attach, type Brain } from '../src/agent/index.ts';
import type { Bridge } from '../src/bridge/index.ts';
import { type ModelDeclaration, TOPICS, uuid } from '../src/protocol/index.ts';
import { memoryPair, openDoor, wallClock } from '../src/transport/index.ts';

/** A brain that drives, from its opening to its end. */
export interface Driving {
  /** Its session is over, or it was stopped. */
  readonly ended: boolean;
  stop(): void;
}

/** Code in the page decides at once: it gets every tick (AICC E5). */
const IN_PAGE_MODEL: ModelDeclaration = { class: 'edge_small', expected_full_response_ms: 0 };

/** Lets a brain in the page drive a character over a memory channel, through the same door as any agent (AICC B6). What it throws ends it and nothing else. */
export function startBrain(bridge: Bridge, characterId: string, brain: Brain): Driving {
  const [mine, theirs] = memoryPair();
  let ended = false;
  let stopDriving: (() => void) | undefined;
  const door = openDoor(theirs, {
    opener: {
      open: (request, port) => bridge.openYielding(port, characterId, brain.kind, request),
      onChange: (listener) => bridge.onChange(listener),
    },
    authenticate: () => ({ name: brain.kind }),
    tokenRequired: false,
    query: { ok: true, connect: { character: characterId, event_subscriptions: [...TOPICS], agent_model: IN_PAGE_MODEL } },
    clock: wallClock,
    newId: uuid,
    onClosed: () => end(),
  });
  const end = () => {
    if (ended) return;
    ended = true;
    try {
      stopDriving?.();
    } catch {
      // A brain that fails while it stops has stopped.
    }
  };
  const stop = () => {
    end();
    door.close(1000, 'the driver was taken away');
  };
  attach(mine)
    .then((session) => {
      if (!ended) stopDriving = brain.start(session);
    })
    .catch(stop);
  return {
    get ended() {
      return ended;
    },
    stop,
  };
}
