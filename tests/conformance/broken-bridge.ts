import { randomUUID } from 'node:crypto';
import type { Ending, Handshake, Target, Wire } from '../../src/conformance/index.ts';

/** A message on its way, to be changed at will. */
export interface Loose {
  [member: string]: unknown;
}

/** What stands between a bridge and its agent, on one connection, and does not keep to the rules. What it leaves out passes as it is. */
export interface Breaker {
  handshake?(handshake: Handshake): Handshake;
  /** A message for the agent. */
  down?(message: Loose, pass: (message: Loose | string) => void): void;
  /** A text from the agent; `message` when it is a JSON object. `answer` goes back to the agent. */
  up?(message: Loose | undefined, text: string, pass: (text: string) => void, answer: (message: Loose) => void): void;
  /** Bytes from the agent. */
  bytes?(pass: () => void, answer: (message: Loose) => void): void;
  /** The end, for the agent. */
  ended?(ending: Ending, pass: (ending: Ending) => void): void;
  close?(wire: Wire): void;
}

/** The target behind such a thing. `make` is called for every connection. */
export function broken(target: Target, make: () => Breaker): Target {
  return {
    ...target,
    async connect(events, handshake = {}) {
      const breaker = make();
      const answer = (message: Loose) => events.text(JSON.stringify(message));
      const wire = await target.connect(
        {
          ...events,
          text(text) {
            const message = readObject(text);
            if (breaker.down === undefined || message === undefined) events.text(text);
            else breaker.down(message, (changed) => events.text(typeof changed === 'string' ? changed : JSON.stringify(changed)));
          },
          ended(ending) {
            if (breaker.ended === undefined) events.ended(ending);
            else breaker.ended(ending, (changed) => events.ended(changed));
          },
        },
        breaker.handshake?.(handshake) ?? handshake,
      );
      return {
        send(text) {
          if (breaker.up === undefined) wire.send(text);
          else breaker.up(readObject(text), text, (changed) => wire.send(changed), answer);
        },
        sendBytes(bytes) {
          if (breaker.bytes === undefined) wire.sendBytes(bytes);
          else breaker.bytes(() => wire.sendBytes(bytes), answer);
        },
        close() {
          if (breaker.close === undefined) wire.close();
          else breaker.close(wire);
        },
        pause: () => wire.pause(),
        resume: () => wire.resume(),
        cut: () => wire.cut(),
      };
    },
  };
}

function readObject(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
  } catch {
    return undefined;
  }
}

const sessionOf = (message: Loose | undefined) => message?.session_id ?? '00000000-0000-0000-0000-000000000000';

/** Messages that a wrong bridge might send. */
export const wrongError = (to: Loose | undefined, code = 'invalid_input'): Loose => ({
  protocol: 'aicc/0.1',
  type: 'error',
  session_id: sessionOf(to),
  message_id: to?.message_id ?? randomUUID(),
  error: { code, message: 'no', retryable: false },
});

export const wrongHeartbeat = (to: Loose): Loose => ({
  protocol: 'aicc/0.1',
  type: 'heartbeat',
  session_id: sessionOf(to),
  message_id: to.message_id,
});
