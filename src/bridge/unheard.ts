import { LIMITS, type Topic, utf8Bytes } from '../protocol/index.ts';

/** What this needs of a session. */
interface Listener {
  hears(topic: Topic, dataClass: string | undefined): boolean;
  sendEvent(topic: Topic, payload: string, options: { waited: true }): void;
}

interface Line {
  /** The `agent_message` payload as JSON text. */
  readonly text: string;
  readonly bytes: number;
  readonly dataClass: string | undefined;
}

/** Words to one character that no attached session was told: they wait for the next session that may hear them (AICC F5). */
export class Unheard {
  #lines: Line[] = [];

  /** Beyond the bounds the oldest go, as from a session's own queue (AICC F3). */
  keep(text: string, dataClass: string | undefined): void {
    this.#lines.push({ text, bytes: utf8Bytes(text), dataClass });
    let bytes = this.#lines.reduce((sum, line) => sum + line.bytes, 0);
    while (this.#lines.length > LIMITS.queuedEvents || bytes > LIMITS.retainedEventBytes) bytes -= this.#lines.shift()?.bytes ?? bytes;
  }

  /** Tells a session that has just opened. */
  tell(session: Listener): void {
    for (const { text } of this.#take(session)) session.sendEvent('agent_message', text, { waited: true });
  }

  /** A resumed session has them in its own queue. */
  forget(session: Listener): void {
    this.#take(session);
  }

  /** The character of `earlier` goes on here. */
  inherit(earlier: Unheard): void {
    this.#lines = [...earlier.#lines, ...this.#lines];
  }

  #take(session: Listener): Line[] {
    const mayHear = ({ dataClass }: Line) => session.hears('agent_message', dataClass);
    const taken = this.#lines.filter(mayHear);
    this.#lines = this.#lines.filter((line) => !mayHear(line));
    return taken;
  }
}
