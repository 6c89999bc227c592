import type { ChannelBrain } from '../src/agent/brain.ts';
import type { AgentPort, Bridge } from '../src/bridge/index.ts';
import { CLOSE_CODES, type ModelDeclaration, TOPICS } from '../src/protocol/index.ts';
import { isRefusal } from '../src/transport/index.ts';

/** A brain that drives, from its opening to its end. */
export interface Driving {
  /** Its session is over, or it was stopped. */
  readonly ended: boolean;
  stop(): void;
}

/** Code in the page decides at once: it gets every tick (AICC E5). */
const IN_PAGE_MODEL: ModelDeclaration = { class: 'edge_small', expected_full_response_ms: 0 };

/**
 * What a game gave as a brain.
 * @param problem what to say when it is none
 * @throws TypeError when it is none
 */
export function toBrain(given: unknown, problem: string): ChannelBrain {
  if (typeof (given as Partial<ChannelBrain> | null | undefined)?.driveOver === 'function') return given as ChannelBrain;
  throw new TypeError(`${problem}; make it with defineBrain from 'phaser-aicc/brain'`);
}

/**
 * Lets a brain in the page drive a character over a memory channel, as an agent that yields to others (AICC B6). Both ends are ours, so nothing here
 * guards against strangers.
 * @param report told of mistakes in the brain's own code; they end it at most, and nothing else
 */
export function startBrain(bridge: Bridge, character: string, brain: ChannelBrain, report: (thrown: unknown) => void): Driving {
  const [brainsEnd, ourEnd] = brain.openChannel();
  let ended = false;
  let stopBrain: (() => void) | undefined;
  const port: AgentPort = {
    send: (text) => ourEnd.send(text),
    close(code, reason) {
      if (ended) return;
      ended = true;
      stopBrain?.();
      ourEnd.close(code, reason);
    },
  };
  const { kind } = brain;
  const request = { character, event_subscriptions: [...TOPICS], agent_model: IN_PAGE_MODEL, principal: kind };
  const session = bridge.openYielding(port, character, kind, request);
  if (isRefusal(session)) {
    report(session.error);
    return { ended: true, stop: () => undefined };
  }
  const end = (code: number, reason: string) => {
    if (ended) return;
    session.closed(code === CLOSE_CODES.normal);
    port.close(code, reason);
  };
  ourEnd.onMessage((text) => session.message(text));
  ourEnd.onClose(({ code, reason }) => end(code, reason));
  if (!ended) stopBrain = brain.driveOver(brainsEnd, report);
  return {
    get ended() {
      return ended;
    },
    stop: () => end(CLOSE_CODES.normal, 'the driver was taken away'),
  };
}
