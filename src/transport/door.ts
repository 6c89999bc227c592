import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import {
  type AgentCheck,
  type AgentMessage,
  AiccError,
  CLOSE_CODES,
  type Clock,
  type ConnectCheck,
  type ConnectRequest,
  checkAgentMessage,
  checkAgentValue,
  checkConnect,
  errorMessage,
  isConnectLine,
  LIMITS,
  parseMessage,
} from '../protocol/index.ts';
import { SlidingWindow } from '../protocol/sliding-window.ts';
import type { Channel, ChannelEnd, ChannelFault } from './channel.ts';
import { closingError } from './closing-error.ts';
import { isRefusal, type Opener, type Principal, type WorldRequest } from './opener.ts';
import { asksForSession, NO_OFFERS, NO_SESSION, openOnce, TOO_MANY_OPENINGS, takeOnce, toRequest } from './opening.ts';
import { Outflow } from './outflow.ts';

export interface DoorOptions {
  opener: Opener;
  /** Who comes with this token, or without one; undefined: nobody who may enter (B5). */
  authenticate(token: string | undefined): Principal | undefined;
  /** Who comes with the session offer in this connect line, or why it does not count (OpenClasp T6). Left out: none are taken here. */
  takeOffer?(line: string, token: string | undefined): Promise<Principal | AiccError>;
  /** Whether an agent must still name a token on this channel; then silence opens nothing (B3). */
  tokenRequired: boolean;
  /** What the WebSocket's address asked for (B1): tried at once. */
  query?: ConnectCheck;
  clock: Clock;
  /** A fresh v4 UUID. */
  newId(): string;
  /** H: bytes the peer may leave unread before it is closed with 1013. Default `LIMITS.outboundBytes`. */
  outboundBytes?: number;
  /** The door is closed, by whichever side, and has done its last work. */
  onClosed?(): void;
}

/** One agent's way in: reads its channel from the first byte to the last. */
export interface Door {
  /** Whether a session is open behind it. */
  readonly isOpen: boolean;
  /** Ends the connection and tells the session. Idempotent. */
  close(code: number, reason: string): void;
}

type RefusedCheck = Extract<AgentCheck, { ok: false }>;

/** What a message kept back costs beside its text. */
const KEPT_OVERHEAD = 64;

class AgentDoor implements Door {
  readonly #channel: Channel;
  readonly #options: DoorOptions;
  readonly #faults = new SlidingWindow(LIMITS.faultWindowMs);
  readonly #openings = new SlidingWindow(1_000);
  readonly #port: AgentPort;
  readonly #out: Outflow;
  /** What came while an opening was under way; handled after it. */
  readonly #early: string[] = [];
  #earlySize = 0;
  #handler: AgentHandler | undefined;
  #opening = false;
  #closed = false;
  /** Whether the session thinks that its agent is held (F4). */
  #toldHeld = false;
  #endedClean = false;
  #stopSilence = () => {};
  #stopDeadline = () => {};
  #stopListening = () => {};
  #wake = () => {};

  constructor(channel: Channel, options: DoorOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#port = { send: (text) => this.#send(text), close: (code, reason) => this.#end(code, reason, { byBridge: true }) };
    this.#out = new Outflow(channel, {
      outboundBytes: options.outboundBytes ?? LIMITS.outboundBytes,
      onOverflow: () => this.#end(CLOSE_CODES.tryAgainLater, 'Too much is waiting to be read on this connection.'),
      onHold: () => this.#tellHeld(),
    });
    channel.onClose((end) => this.#lost(end));
    channel.onFault((fault) => this.#fault(fault));
    this.#startDeadline(LIMITS.openDeadlineMs);
    if (options.query !== undefined) this.#connect(options.query);
    else if (!options.tokenRequired) this.#stopSilence = options.clock.schedule(() => this.#begin({}), LIMITS.silentOpenMs);
    channel.onMessage((text) => this.#message(text));
  }

  get isOpen(): boolean {
    return this.#handler !== undefined && !this.#closed;
  }

  close(code: number, reason: string): void {
    this.#end(code, reason);
  }

  #message(text: string): void {
    if (this.#closed) return;
    this.#stopSilence();
    if (this.#opening) this.#keep(text);
    else if (this.#handler !== undefined) this.#sessionMessage(this.#handler, text);
    else this.#openingMessage(text);
  }

  #sessionMessage(handler: AgentHandler, text: string, wasEarly = false): void {
    const check = checkAgentMessage(text);
    if (!check.ok) this.#refused(check);
    // An early request for a session has got the one that was being opened already.
    else if (!wasEarly || !asksForSession(check.message)) handler.message(text);
  }

  #openingMessage(text: string): void {
    const parsed = parseMessage(text);
    if (parsed.ok && isConnectLine(parsed.value)) {
      this.#connect(checkConnect(parsed.value), text);
    } else {
      const check = parsed.value === undefined ? checkAgentMessage(text) : checkAgentValue(parsed.value);
      if (check.ok) this.#firstMessage(check.message);
      else this.#refused(check);
    }
  }

  #firstMessage(message: AgentMessage): void {
    const { type, session_id, message_id } = message;
    if (asksForSession(message)) this.#begin({}, message_id);
    else if (type === 'session_resume') this.#begin({ resume: session_id }, message_id);
    else this.#sendError(new AiccError('session_expired', NO_SESSION), message_id);
  }

  #connect(check: ConnectCheck, line = ''): void {
    const { takeOffer } = this.#options;
    if (check.ok && check.connect.session_offer !== undefined && takeOffer !== undefined) {
      if (this.#mayTry()) void this.#beginUnderOffer(check.connect, takeOnce(takeOffer, line, check.connect.token));
    } else if (check.ok) this.#begin(check.connect);
    else this.#refused({ ok: false, error: check.error, fatal: false, counted: true });
  }

  #begin(connect: ConnectRequest, replyTo?: string): void {
    const principal = this.#options.authenticate(connect.token);
    if (principal === undefined) {
      this.#end(CLOSE_CODES.unauthorized, 'unauthorized');
    } else if (connect.session_offer !== undefined) {
      this.#openingFailed(new AiccError('tool_unavailable', NO_OFFERS, false), replyTo);
    } else if (this.#mayTry(replyTo)) {
      this.#start(connect, principal, replyTo);
    }
  }

  /** The offer says who it is, and nothing else does. */
  async #beginUnderOffer(connect: ConnectRequest, taking: Promise<Principal | AiccError>): Promise<void> {
    this.#opening = true;
    const taken = await taking;
    if (this.#closed) return;
    if (taken instanceof AiccError) this.#openingFailed(taken, undefined);
    else this.#start(connect, taken, undefined);
  }

  #mayTry(replyTo?: string): boolean {
    if (this.#openings.take(LIMITS.manifestRequestsPerSecond, this.#options.clock.wallNow()) === 0) return true;
    this.#sendError(new AiccError('tool_unavailable', TOO_MANY_OPENINGS), replyTo);
    return false;
  }

  #start(connect: ConnectRequest, principal: Principal, replyTo: string | undefined): void {
    const { clock } = this.#options;
    const waitMs = connect.wait_ms ?? 0;
    if (waitMs > 0) this.#startDeadline(waitMs + LIMITS.openDeadlineMs);
    this.#opening = true;
    void this.#open(toRequest(connect, principal), clock.wallNow() + waitMs, replyTo);
  }

  /** Tries until the character is there, the time is up or the reason is another than its absence. */
  async #open(request: WorldRequest, giveUpAt: number, replyTo: string | undefined): Promise<void> {
    const { opener, clock } = this.#options;
    for (;;) {
      let hasChanged = false;
      const stopListening = opener.onChange(() => {
        hasChanged = true;
        this.#wake();
      });
      this.#stopListening = stopListening;
      try {
        const answer = await openOnce(opener, request, this.#port);
        if (this.#closed || !isRefusal(answer) || !answer.absent || clock.wallNow() >= giveUpAt) {
          this.#settle(answer, replyTo);
          return;
        }
        if (!hasChanged) await this.#sleep(giveUpAt - clock.wallNow());
        if (this.#closed) return;
      } finally {
        stopListening();
      }
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#options.clock.schedule(resolve, ms);
      this.#wake = () => {
        stop();
        resolve();
      };
    });
  }

  #settle(answer: AgentHandler | Refusal, replyTo: string | undefined): void {
    if (isRefusal(answer)) {
      if (!this.#closed) this.#openingFailed(answer.error, replyTo);
    } else if (this.#closed) {
      answer.closed(this.#endedClean);
    } else {
      this.#opening = false;
      this.#handler = answer;
      this.#stopDeadline();
      this.#tellHeld();
      this.#handleEarly();
    }
  }

  #openingFailed(error: AiccError, replyTo: string | undefined): void {
    this.#opening = false;
    this.#startDeadline(LIMITS.openDeadlineMs);
    this.#sendError(error, replyTo);
    this.#handleEarly();
  }

  #keep(text: string): void {
    this.#earlySize += text.length + KEPT_OVERHEAD;
    if (this.#earlySize > LIMITS.messageBytes)
      this.#end(CLOSE_CODES.policyViolation, 'Too much was sent before the session was open: wait for session_init.');
    else this.#early.push(text);
  }

  #handleEarly(): void {
    while (this.#early.length > 0 && !this.#opening && !this.#closed) {
      const text = this.#early.shift() as string;
      this.#earlySize -= text.length + KEPT_OVERHEAD;
      if (this.#handler !== undefined) this.#sessionMessage(this.#handler, text, true);
      else this.#openingMessage(text);
    }
  }

  /** A3, A4, A7 */
  #refused(check: RefusedCheck): void {
    const handler = this.#handler;
    const call = check.call;
    const isOurCall = call !== undefined && (call.session_id === undefined || call.session_id === handler?.sessionId);
    if (handler !== undefined && isOurCall && !check.fatal) {
      handler.refusedCall({ ...call, error: check.error.message });
    } else {
      this.#sendError(check.error, check.messageId);
    }
    if (check.fatal) this.#end(CLOSE_CODES.policyViolation, check.error.message, { isTold: true });
    else if (check.counted) this.#countFault();
  }

  #fault(fault: ChannelFault): void {
    if (this.#closed) return;
    this.#stopSilence();
    // A WebSocket is told by its close code.
    if (this.#channel.kind === 'tcp') this.#sendError(new AiccError('invalid_input', fault.message));
    if (fault.fatal) this.#end(fault.code, fault.message, { isTold: true });
    else this.#countFault();
  }

  #countFault(): void {
    // All but the last are borne.
    if (this.#faults.take(LIMITS.faults - 1, this.#options.clock.wallNow()) > 0)
      this.#end(CLOSE_CODES.policyViolation, `${LIMITS.faults} messages within ${LIMITS.faultWindowMs / 1_000} s were refused.`);
  }

  #send(text: string): void {
    if (!this.#closed) this.#out.send(text);
  }

  #tellHeld(): void {
    const { held } = this.#out;
    if (this.#handler === undefined || this.#closed || this.#toldHeld === held) return;
    this.#toldHeld = held;
    this.#handler.hold(held);
  }

  #sendError(error: AiccError, replyTo?: string): void {
    this.#send(this.#errorText(error, replyTo));
  }

  #errorText(error: AiccError, replyTo?: string): string {
    const sessionId = this.#handler?.sessionId;
    return errorMessage({ ...(sessionId !== undefined && { sessionId }), messageId: replyTo ?? this.#options.newId(), error });
  }

  #startDeadline(ms: number): void {
    this.#stopDeadline();
    this.#stopDeadline = this.#options.clock.schedule(() => {
      if (this.#opening) this.#end(CLOSE_CODES.tryAgainLater, 'The game did not answer in time: try again.');
      else this.#end(CLOSE_CODES.policyViolation, 'No session was opened in time.');
    }, ms);
  }

  /** `isTold`: the agent knows why already. `byBridge`: the session knows already. */
  #end(code: number, reason: string, { isTold = false, byBridge = false } = {}): void {
    if (this.#closed) return;
    const error = closingError(code, reason);
    if (this.#channel.kind === 'tcp' && !isTold && error !== undefined) {
      this.#channel.send(this.#errorText(error));
    }
    this.#finish(false, byBridge);
    this.#channel.close(code, reason);
  }

  #lost(end: ChannelEnd): void {
    if (!this.#closed) this.#finish(end.code === CLOSE_CODES.normal, false);
  }

  #finish(isClean: boolean, byBridge: boolean): void {
    this.#closed = true;
    this.#endedClean = isClean;
    this.#early.length = 0;
    this.#stopSilence();
    this.#stopDeadline();
    // An answer that the game owes may never come.
    this.#stopListening();
    this.#wake();
    if (!byBridge) this.#handler?.closed(isClean);
    this.#options.onClosed?.();
  }
}

/**
 * Takes a raw channel from its first message to its end: answers what cannot be a message (A3–A8), opens a session as asked (B1–B5), then is
 * a pipe to it. The same for memory, WebSocket and TCP. A session is told of an end that it did not ask for by `AgentHandler.closed`.
 */
export function openDoor(channel: Channel, options: DoorOptions): Door {
  return new AgentDoor(channel, options);
}
