import type { Clock } from '../base/clock.ts';
import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { isRefusal, type Opener, type WorldRequest } from './opener.ts';
import { openOnce } from './opening.ts';

/** One opening, tried anew whenever worlds or characters come or go, until there is a session, the time is up, or what it lacks is no character. */
export class Attempt {
  readonly #opener: Opener;
  readonly #clock: Clock;
  #stopped = false;
  #stopListening = () => {};
  #wake = () => {};

  constructor(opener: Opener, clock: Clock) {
    this.#opener = opener;
    this.#clock = clock;
  }

  /**
   * The last answer there was.
   * @param giveUpAt wall time
   */
  async answer(request: WorldRequest, port: AgentPort, giveUpAt: number): Promise<AgentHandler | Refusal> {
    for (;;) {
      let hasChanged = false;
      const stopListening = this.#opener.onChange(() => {
        hasChanged = true;
        this.#wake();
      });
      this.#stopListening = stopListening;
      try {
        const answer = await openOnce(this.#opener, request, port);
        if (this.#stopped || !isRefusal(answer) || !answer.absent || this.#clock.wallNow() >= giveUpAt) return answer;
        if (!hasChanged) await this.#sleep(giveUpAt - this.#clock.wallNow());
        if (this.#stopped) return answer;
      } finally {
        stopListening();
      }
    }
  }

  /** Nobody waits for it any more. An answer that the game owes may still come, or never. */
  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    this.#wake();
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.schedule(resolve, ms);
      this.#wake = () => {
        stop();
        resolve();
      };
    });
  }
}
