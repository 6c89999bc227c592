import { SlidingWindow } from '../base/sliding-window.ts';
import type { AgentHandler } from '../bridge/agent-port.ts';
import { AiccError, type ChannelFault, CLOSE_CODES, checkAgentMessage, errorMessage, LIMITS } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from './channel.ts';
import { closingError } from './closing-error.ts';
import { Doorstep, type DoorstepOptions, type RefusedCheck } from './doorstep.ts';
import { asksForSession } from './opening.ts';
import { Outflow } from './outflow.ts';
import { Pulse } from './pulse.ts';

export interface DoorOptions extends DoorstepOptions {
  /** A fresh v4 UUID. */
  newId(): string;
  /** H5: bytes the peer may leave unread before it is closed with 1013. Default `LIMITS.outboundBytes`. */
  outboundBytes?: number;
  /** C9: how often a peer that is held, so not heard, is looked at, in milliseconds of wall time. Default `LIMITS.pingMs`. */
  pingMs?: number;
  /** The door is closed, by whichever side, and has done its last work. */
  onClosed?(end: ChannelEnd): void;
}

/** One agent's way in: reads its channel from the first byte to the last. */
export interface Door {
  /** Whether a session is open behind it. */
  readonly isOpen: boolean;
  /** Whether the agent takes no more for now (F4). */
  readonly isHeld: boolean;
  /** Bytes that it has not taken yet. */
  readonly unreadBytes: number;
  /** Ends the connection and tells the session. Idempotent. */
  close(code: number, reason: string): void;
}

class AgentDoor implements Door {
  readonly #channel: Channel;
  readonly #options: DoorOptions;
  readonly #faults = new SlidingWindow(LIMITS.faultWindowMs);
  readonly #doorstep: Doorstep;
  readonly #out: Outflow;
  /** Of a session over TCP. */
  #pulse: Pulse | undefined;
  #handler: AgentHandler | undefined;
  #closed = false;
  /** Whether the session thinks that its agent is held (F4). */
  #toldHeld = false;

  constructor(channel: Channel, options: DoorOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#doorstep = new Doorstep(options, {
      port: { send: (text) => this.#send(text), close: (code, reason) => this.#end(code, reason, { byBridge: true }) },
      opened: (handler) => this.#opened(handler),
      early: (text) => this.#sessionMessage(this.#handler as AgentHandler, text, true),
      answer: (error, replyTo) => this.#sendError(error, replyTo),
      refused: (check) => this.#refused(check),
      end: (code, reason) => this.#end(code, reason),
    });
    this.#out = new Outflow(channel, {
      outboundBytes: options.outboundBytes ?? LIMITS.outboundBytes,
      onOverflow: () => this.#end(CLOSE_CODES.tryAgainLater, 'Too much is waiting to be read on this connection.'),
      onHold: () => this.#tellHeld(),
      clock: options.clock,
      lookMs: options.pingMs ?? LIMITS.pingMs,
      onStalled: () => this.#end(CLOSE_CODES.tryAgainLater, 'Nothing was read on this connection for too long.'),
    });
    channel.onClose((end) => this.#lost(end));
    channel.onFault((fault) => this.#fault(fault));
    this.#doorstep.begin();
    channel.onMessage((text) => this.#message(text));
  }

  get isOpen(): boolean {
    return this.#handler !== undefined && !this.#closed;
  }

  get isHeld(): boolean {
    return this.#out.held;
  }

  get unreadBytes(): number {
    return this.#channel.bufferedBytes;
  }

  close(code: number, reason: string): void {
    this.#end(code, reason);
  }

  #message(text: string): void {
    if (this.#closed) return;
    this.#doorstep.heard();
    if (this.#handler === undefined) this.#doorstep.message(text);
    else this.#sessionMessage(this.#handler, text);
  }

  #sessionMessage(handler: AgentHandler, text: string, wasEarly = false): void {
    const check = checkAgentMessage(text);
    this.#pulse?.heard(check.ok && check.message.type === 'heartbeat');
    if (!check.ok) this.#refused(check);
    // An early request for a session has got the one that was being opened already.
    else if (!wasEarly || !asksForSession(check.message)) handler.message(text);
  }

  #opened(handler: AgentHandler): void {
    this.#handler = handler;
    if (!this.#channel.noticesLoss) {
      this.#pulse = new Pulse({
        clock: this.#options.clock,
        lookMs: this.#options.pingMs ?? LIMITS.pingMs,
        isDeaf: () => this.#out.held,
        onQuiet: (quiet) => handler.quiet(quiet),
        onDead: () => this.#end(CLOSE_CODES.tryAgainLater, 'Nothing was heard on this connection for too long.'),
      });
    }
    this.#tellHeld();
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
    this.#doorstep.heard();
    this.#pulse?.heard(false);
    // Others are told by the close code.
    if (!this.#channel.tellsCloseCode) this.#sendError(new AiccError('invalid_input', fault.message));
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

  /** `isTold`: the agent knows why already. `byBridge`: the session knows already. */
  #end(code: number, reason: string, { isTold = false, byBridge = false } = {}): void {
    if (this.#closed) return;
    const error = closingError(code, reason);
    if (!this.#channel.tellsCloseCode && !isTold && error !== undefined) {
      this.#channel.send(this.#errorText(error));
    }
    this.#finish(false, byBridge, { code, reason });
    this.#channel.close(code, reason);
  }

  #lost(end: ChannelEnd): void {
    if (!this.#closed) this.#finish(end.code === CLOSE_CODES.normal, false, end);
  }

  #finish(isClean: boolean, byBridge: boolean, end: ChannelEnd): void {
    this.#closed = true;
    this.#out.close();
    this.#pulse?.stop();
    this.#doorstep.leave(isClean);
    if (!byBridge) this.#handler?.closed(isClean);
    this.#options.onClosed?.(end);
  }
}

/**
 * Takes a raw channel from its first message to its end: answers what cannot be a message (A3–A8), opens a session as asked (B1–B5), then is
 * a pipe to it. The same for every channel. A session is told of an end that it did not ask for by `AgentHandler.closed`.
 */
export function openDoor(channel: Channel, options: DoorOptions): Door {
  return new AgentDoor(channel, options);
}
