import { LIMITS, type Topic } from '../protocol/index.ts';

/** What this needs of a session. */
interface Listener {
  hears(topic: Topic, dataClass: string | undefined): boolean;
  sendEvent(topic: Topic, payload: string): void;
}

interface Line {
  /** The `agent_message` payload as JSON text. */
  readonly text: string;
  readonly dataClass: string | undefined;
}

/** Words to one character that no attached session was told: they wait for the next session that may hear them (AICC F5). */
export class Unheard {
  #lines: Line[] = [];

  /** Beyond the bound the oldest goes, as from a session's own queue (AICC F3). */
  keep(text: string, dataClass: string | undefined): void {
    this.#lines.push({ text, dataClass });
    if (this.#lines.length > LIMITS.queuedEvents) this.#lines.shift();
  }

  /** Tells a session that has just opened. */
  tell(session: Listener): void {
    for (const { text } of this.#take(session)) session.sendEvent('agent_message', text);
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
