import { attach, type Brain } from '../src/agent/index.ts';
import type { AgentPort, Bridge } from '../src/bridge/index.ts';
import { checkAgentMessage, errorMessage, type ModelDeclaration, TOPICS, uuid } from '../src/protocol/index.ts';
import { type Channel, isRefusal, memoryPair } from '../src/transport/index.ts';

/** A brain that drives, from its opening to its end. */
export interface Driving {
  /** Its session is over, or it was stopped. */
  readonly ended: boolean;
  stop(): void;
}

/** Code in the page decides at once: it gets every tick (AICC E5). */
const IN_PAGE_MODEL: ModelDeclaration = { class: 'edge_small', expected_full_response_ms: 0 };

/** Lets a brain in the page drive a character over a memory channel, as an agent that yields to others (AICC B6). What it throws ends it and nothing else. */
export function startBrain(bridge: Bridge, characterId: string, brain: Brain): Driving {
  const [mine, theirs] = memoryPair();
  let ended = false;
  let stopDriving: (() => void) | undefined;
  const end = () => {
    if (ended) return;
    ended = true;
    try {
      stopDriving?.();
    } catch {
      // A brain that fails while it stops has stopped.
    }
  };
  const close = openChannel(bridge, characterId, brain.kind, theirs, end);
  const stop = () => {
    end();
    close(1000, 'the driver was taken away');
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

/** Between a channel's end and its session, with the checks of a message (A3, A7) and nothing of what guards against strangers. @returns the way to end both */
function openChannel(
  bridge: Bridge,
  character: string,
  kind: string,
  channel: Channel,
  onClosed: () => void,
): (code: number, reason: string) => void {
  let closed = false;
  const finish = () => {
    if (closed) return false;
    closed = true;
    onClosed();
    return true;
  };
  const request = { character, event_subscriptions: [...TOPICS], agent_model: IN_PAGE_MODEL, principal: kind };
  const port: AgentPort = {
    send: (text) => channel.send(text),
    close: (code, reason) => {
      if (finish()) channel.close(code, reason);
    },
  };
  const session = bridge.openYielding(port, character, kind, request);
  if (isRefusal(session)) {
    channel.send(errorMessage({ messageId: uuid(), error: session.error }));
    return (code, reason) => port.close(code, reason);
  }
  const end = (code: number, reason: string) => {
    if (closed) return;
    session.closed(code === 1000);
    port.close(code, reason);
  };
  channel.onMessage((text) => {
    const check = checkAgentMessage(text);
    if (check.ok) session.message(text);
    else if (check.call) session.refusedCall({ ...check.call, error: check.error.message });
    else channel.send(errorMessage({ sessionId: session.sessionId, messageId: check.messageId ?? uuid(), error: check.error }));
  });
  channel.onClose(({ code, reason }) => end(code, reason));
  return end;
}
