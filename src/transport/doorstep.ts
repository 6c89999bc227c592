import type { Clock } from '../base/clock.ts';
import { SlidingWindow } from '../base/sliding-window.ts';
import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import {
  type AgentCheck,
  type AgentMessage,
  AiccError,
  CLOSE_CODES,
  type ConnectCheck,
  type ConnectRequest,
  checkAgentMessage,
  checkAgentValue,
  checkConnect,
  isConnectLine,
  LIMITS,
  parseMessage,
} from '../protocol/index.ts';
import { Attempt } from './attempt.ts';
import { EarlyMessages } from './early-messages.ts';
import { isRefusal, type Opener, type Principal } from './opener.ts';
import {
  asksForSession,
  CROWDED,
  NO_OFFERS,
  NO_SESSION,
  NO_WATCHING,
  ONLY_WATCHING,
  TOO_MANY_OPENINGS,
  takeOnce,
  toRequest,
} from './opening.ts';

/** One agent's place among those that have no session yet. */
export interface DoorPlace {
  /** Asked when an opening begins. `false`: too many are at it. */
  mayOpen(isResume: boolean): boolean;
  /** The opening failed; the agent may try again. */
  failed(): void;
  opened(): void;
}

export interface DoorstepOptions {
  opener: Opener;
  /** Who comes with this token, or without one; undefined: nobody who may enter (B5). */
  authenticate(token: string | undefined): Principal | undefined;
  /** Who comes with the session offer in this connect line, or why it does not count (OpenClasp T6). Left out: none are taken here. */
  takeOffer?(line: string, token: string | undefined): Promise<Principal | AiccError>;
  /** Left out: there is always room. */
  place?: DoorPlace;
  /** Whether an agent must still name a token on this channel; then silence opens nothing (B3). */
  tokenRequired: boolean;
  /** What the WebSocket's address asked for (B1): tried at once. */
  query?: ConnectCheck;
  clock: Clock;
}

export type RefusedCheck = Extract<AgentCheck, { ok: false }>;

/** The door before which an agent stands. */
export interface DoorFrame {
  /** The bridge's way to the agent. */
  readonly port: AgentPort;
  opened(handler: AgentHandler): void;
  /** A message for the session that came before it was open. */
  early(text: string): void;
  answer(error: AiccError, replyTo: string | undefined): void;
  /** The agent said what is no message. */
  refused(check: RefusedCheck): void;
  end(code: number, reason: string): void;
}

/** Where an agent stands until it has a session (AICC B1–B5): finds out what it wants and who it is, and opens what it asks for. */
export class Doorstep {
  readonly #options: DoorstepOptions;
  readonly #door: DoorFrame;
  readonly #openings = new SlidingWindow(1_000);
  readonly #early = new EarlyMessages();
  #isOpening = false;
  #isLeft = false;
  #leftClean = false;
  #attempt: Attempt | undefined;
  #stopSilence = () => {};
  #stopDeadline = () => {};

  constructor(options: DoorstepOptions, door: DoorFrame) {
    this.#options = options;
    this.#door = door;
  }

  begin(): void {
    const { clock, query, tokenRequired } = this.#options;
    this.#startDeadline(LIMITS.openDeadlineMs);
    if (query !== undefined) this.#connect(query);
    else if (!tokenRequired) this.#stopSilence = clock.schedule(() => this.#begin({}), LIMITS.silentOpenMs);
  }

  /** The agent is not silent. */
  heard(): void {
    this.#stopSilence();
  }

  message(text: string): void {
    if (!this.#isOpening) return this.#openingMessage(text);
    if (!this.#early.add(text))
      this.#door.end(CLOSE_CODES.policyViolation, 'Too much was sent before the session was open: wait for session_init.');
  }

  /** The connection is over, before there was a session or after it. */
  leave(isClean: boolean): void {
    this.#isLeft = true;
    this.#leftClean = isClean;
    this.#early.clear();
    this.#stopSilence();
    this.#stopDeadline();
    this.#attempt?.stop();
  }

  #openingMessage(text: string): void {
    const parsed = parseMessage(text);
    if (parsed.ok && isConnectLine(parsed.value)) {
      this.#connect(checkConnect(parsed.value), text);
    } else {
      const check = parsed.value === undefined ? checkAgentMessage(text) : checkAgentValue(parsed.value);
      if (check.ok) this.#firstMessage(check.message);
      else this.#door.refused(check);
    }
  }

  #firstMessage(message: AgentMessage): void {
    const { type, session_id, message_id } = message;
    if (asksForSession(message)) this.#begin({}, message_id);
    else if (type === 'session_resume') this.#begin({ resume: session_id }, message_id);
    else this.#door.answer(new AiccError('session_expired', NO_SESSION), message_id);
  }

  #connect(check: ConnectCheck, line = ''): void {
    const { takeOffer } = this.#options;
    if (check.ok && check.connect.session_offer !== undefined && check.connect.spectate) {
      this.#failed(new AiccError('invalid_input', NO_WATCHING), undefined);
    } else if (check.ok && check.connect.session_offer !== undefined && takeOffer !== undefined) {
      if (this.#mayTry()) void this.#beginUnderOffer(check.connect, takeOnce(takeOffer, line, check.connect.token));
    } else if (check.ok) this.#begin(check.connect);
    else this.#door.refused({ ok: false, error: check.error, fatal: false, counted: true });
  }

  #begin(connect: ConnectRequest, replyTo?: string): void {
    const principal = this.#options.authenticate(connect.token);
    if (principal === undefined) {
      this.#door.end(CLOSE_CODES.unauthorized, 'unauthorized');
    } else if (connect.session_offer !== undefined) {
      this.#failed(new AiccError('tool_unavailable', NO_OFFERS, false), replyTo);
    } else if (principal.contract !== undefined && connect.spectate) {
      this.#failed(new AiccError('invalid_input', NO_WATCHING), replyTo);
    } else if (principal.spectates && !connect.spectate && connect.resume === undefined) {
      this.#failed(new AiccError('tool_unavailable', ONLY_WATCHING, false), replyTo);
    } else if (this.#mayTry(replyTo)) {
      this.#start(connect, principal, replyTo);
    }
  }

  /** The offer says who it is, and nothing else does. */
  async #beginUnderOffer(connect: ConnectRequest, taking: Promise<Principal | AiccError>): Promise<void> {
    this.#isOpening = true;
    const taken = await taking;
    if (this.#isLeft) return;
    if (taken instanceof AiccError) this.#failed(taken, undefined);
    else this.#start(connect, taken, undefined);
  }

  #mayTry(replyTo?: string): boolean {
    if (this.#openings.take(LIMITS.manifestRequestsPerSecond, this.#options.clock.wallNow()) === 0) return true;
    this.#door.answer(new AiccError('tool_unavailable', TOO_MANY_OPENINGS), replyTo);
    return false;
  }

  #start(connect: ConnectRequest, principal: Principal, replyTo: string | undefined): void {
    const { clock, opener, place } = this.#options;
    if (place?.mayOpen(connect.resume !== undefined) === false) return this.#door.end(CLOSE_CODES.tryAgainLater, CROWDED);
    const waitMs = connect.wait_ms ?? 0;
    if (waitMs > 0) this.#startDeadline(waitMs + LIMITS.openDeadlineMs);
    this.#isOpening = true;
    this.#attempt = new Attempt(opener, clock);
    void this.#attempt
      .answer(toRequest(connect, principal), this.#door.port, clock.wallNow() + waitMs)
      .then((answer) => this.#settle(answer, replyTo));
  }

  #settle(answer: AgentHandler | Refusal, replyTo: string | undefined): void {
    if (isRefusal(answer)) {
      if (!this.#isLeft) this.#failed(answer.error, replyTo);
    } else if (this.#isLeft) {
      answer.closed(this.#leftClean);
    } else {
      this.#stopDeadline();
      this.#options.place?.opened();
      this.#door.opened(answer);
      for (let text = this.#early.next(); text !== undefined; text = this.#early.next()) this.#door.early(text);
    }
  }

  #failed(error: AiccError, replyTo: string | undefined): void {
    this.#isOpening = false;
    this.#options.place?.failed();
    this.#startDeadline(LIMITS.openDeadlineMs);
    this.#door.answer(error, replyTo);
    while (!this.#isOpening) {
      const text = this.#early.next();
      if (text === undefined) return;
      this.#openingMessage(text);
    }
  }

  #startDeadline(ms: number): void {
    this.#stopDeadline();
    this.#stopDeadline = this.#options.clock.schedule(() => {
      if (this.#isOpening) this.#door.end(CLOSE_CODES.tryAgainLater, 'The game did not answer in time: try again.');
      else this.#door.end(CLOSE_CODES.policyViolation, 'No session was opened in time.');
    }, ms);
  }
}
