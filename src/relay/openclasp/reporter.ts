import { OPENCLASP_LIMITS } from './openclasp-limits.ts';

type ReportType = 'session_started' | 'message_sent' | 'task_result' | 'session_completed' | 'session_failed';

/** What is told of one event: names, numbers and hashes, never what was said or done (T16). */
export interface Report {
  type: ReportType;
  messageHash?: string;
  outcome?: string;
  labels?: { [name: string]: string };
  metrics?: { [name: string]: number };
  flags?: { [name: string]: boolean };
}

export interface ReporterOptions {
  interactionId: string;
  agentId: string;
  /** https, or this machine: the activation was checked for it. */
  endpoint: string;
  bearerToken: string;
  /** The next number of this interaction's reports. */
  nextSequence(): number;
  newId(): string;
  now(): number;
  /** Wall time. */
  schedule(run: () => void, ms: number): () => void;
  /** 0 to 1, so that many relays do not come back at once. */
  random(): number;
  /** Told when a report will never arrive. */
  lost(reason: string): void;
}

/** Tells the platform how one interaction goes (T16): in order, again and again until it hears, and never in anybody's way. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #waiting: string[] = [];
  #isSending = false;
  #retryMs: number = OPENCLASP_LIMITS.retryMs;
  #stopRetry = () => {};
  #closed = false;
  #whenDone: (() => void) | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  report({ flags = {}, labels = {}, messageHash, metrics = {}, outcome, type }: Report): void {
    if (this.#closed) return;
    const { agentId, interactionId, newId, nextSequence, now } = this.#options;
    const event = {
      eventId: newId(),
      interactionId,
      agentId,
      sequence: nextSequence(),
      type,
      occurredAt: new Date(now()).toISOString(),
      ...(messageHash !== undefined && { messageHash }),
      evidenceReferences: [],
      ...(outcome !== undefined && { outcome }),
      details: { labels, metrics, flags },
    };
    this.#waiting.push(JSON.stringify(event));
    if (this.#waiting.length > OPENCLASP_LIMITS.reports) {
      this.#waiting.shift();
      this.#options.lost('too many reports wait');
    }
    void this.#send();
  }

  /** No more will be reported; `done` is called when everything has been heard or given up. */
  finish(done: () => void): void {
    this.#whenDone = done;
    if (!this.#isSending) done();
  }

  /** Gives up what still waits. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#stopRetry();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && !this.#closed) {
      const event = this.#waiting[0] as string;
      const result = await this.#post(event);
      if (this.#closed) return;
      if (result === 'again') return this.#retryLater();
      this.#retryMs = OPENCLASP_LIMITS.retryMs;
      if (this.#waiting[0] === event) this.#waiting.shift();
      if (result !== 'heard') this.#options.lost(result.refused);
    }
    this.#isSending = false;
    if (!this.#closed) this.#whenDone?.();
  }

  #retryLater(): void {
    const wait = this.#retryMs * (0.5 + this.#options.random() / 2);
    this.#retryMs = Math.min(this.#retryMs * 2, OPENCLASP_LIMITS.maxRetryMs);
    this.#stopRetry = this.#options.schedule(() => {
      this.#isSending = false;
      void this.#send();
    }, wait);
  }

  async #post(event: string): Promise<'heard' | 'again' | { refused: string }> {
    const { bearerToken, endpoint } = this.#options;
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearerToken}` },
        body: event,
        redirect: 'manual',
        signal: AbortSignal.timeout(OPENCLASP_LIMITS.fetchMs),
      });
      await response.body?.cancel();
      if (response.ok) return 'heard';
      const mayHelp = response.status >= 500 || response.status === 408 || response.status === 429;
      return mayHelp ? 'again' : { refused: `the platform answers HTTP ${response.status}` };
    } catch {
      return 'again';
    }
  }
}
