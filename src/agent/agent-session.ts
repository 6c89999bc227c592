import type { Clock } from '../base/clock.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { uuid } from '../base/uuid.ts';
import {
  type BridgeMessage,
  type Capabilities,
  type CatalogueTool,
  CLOSE_CODES,
  type ErrorMessage,
  type EventMessage,
  LIMITS,
  type Manifest,
  type ModelDeclaration,
  NIL_UUID,
  PROTOCOL,
  type SessionInit,
  type TickMode,
  TOPICS,
  type ToolResult,
  type Topic,
  type WireError,
} from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { type CallOptions, Calls } from './calls.ts';
import { type ComeBack, codeOf, isFinal } from './come-back.ts';
import { EarlyEvents } from './early-events.ts';
import { readBridgeMessage } from './envelope.ts';
import { CallError } from './errors.ts';
import type { SessionListeners, Snapshot } from './events.ts';
import { listenTo } from './listen-to.ts';
import { Listeners } from './listeners.ts';
import type { Session } from './session.ts';

/** How long `close()` waits for the bridge's answer, in milliseconds of wall time. */
const CLOSE_WAIT_MS = 2_000;

/** A `Session` from its `session_init` on, over one channel after another. */
export class AgentSession implements Session {
  readonly id: string;
  readonly closed: Promise<ChannelEnd>;
  readonly #comeBack: ComeBack | undefined;
  readonly #clock: Clock;
  readonly #listeners = new Listeners();
  readonly #early: EarlyEvents;
  readonly #calls = new Calls((call_id, tool, input) => this.#send('tool_call', { call_id, tool }, call_id, input));
  #channel: Channel;
  /** While the connection is lost and made anew; aborting gives that up. */
  #comingBack: AbortController | undefined;
  /** The newest `meta.seq`: what the bridge need not repeat (AICC C5). */
  #lastSeq = 0;
  #manifest: Manifest;
  #snapshot: Snapshot | undefined;
  #end: ChannelEnd | undefined;
  #closing = false;
  #closeReason: string | undefined;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #settleClosed!: (end: ChannelEnd) => void;
  /** The bridge's last words; they say more than a close code. */
  #farewell = '';
  /** An error that no message has followed: on TCP it says what the closing means (AICC C5). */
  #lastWords: WireError | undefined;
  /** The bridge said session_close. */
  #inOrder = false;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #spoke = false;
  #stopWatching: (() => void) | undefined;

  /** @param comeBack the way to another channel after a loss; undefined: then the session is over */
  constructor(channel: Channel, init: SessionInit, comeBack: ComeBack | undefined, clock: Clock) {
    this.id = init.session_id;
    this.#manifest = init;
    this.#channel = channel;
    this.#comeBack = comeBack;
    this.#clock = clock;
    this.#early = new EarlyEvents((event) => this.#deliver(event));
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    // In a page both ends live and die together; elsewhere a silent agent must not look dead (AICC C3).
    if (channel.kind !== 'memory') this.#heartbeat = setInterval(() => this.#beat(), LIMITS.heartbeatMs);
    // AICC C4: the session of an agent that has never said a word ends with its connection.
    if (comeBack !== undefined) this.#send('heartbeat', {});
    this.#listen(channel);
  }

  get world(): Manifest['world'] {
    return this.#manifest.world;
  }
  get tickMode(): TickMode {
    return this.#manifest.tick_mode;
  }
  get tickRateHz(): number {
    return this.#manifest.tick_rate_hz;
  }
  get model(): ModelDeclaration {
    return this.#manifest.agent_model;
  }
  get tools(): readonly CatalogueTool[] {
    return this.#manifest.tools;
  }
  get capabilities(): Capabilities {
    return this.#manifest.capabilities;
  }
  get topics(): readonly Topic[] | undefined {
    return this.#manifest.event_subscriptions as Topic[] | undefined;
  }
  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  call(tool: string, input: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    if (this.#end !== undefined || this.#closing) {
      return Promise.reject(new CallError(this.#over(`cannot call ${tool}`), { tool, callId: '' }));
    }
    return this.#calls.start(tool, input, options);
  }

  on<T extends keyof SessionListeners>(type: T, listener: SessionListeners[T]): () => void {
    const granted = this.topics;
    if (isTopic(type) && type !== 'state_change' && granted !== undefined && !granted.includes(type)) {
      throw new Error(`this session gets no ${type} events: connect with subscribe: ${JSON.stringify([...granted, type])}`);
    }
    const remove = this.#listeners.add(type, listener);
    if (isTopic(type)) this.#early.heard(type);
    return remove;
  }

  async close(reason?: string): Promise<void> {
    if (this.#end === undefined && !this.#closing) {
      this.#closing = true;
      this.#closeReason = reason;
      this.#sendClose();
      this.#closeTimer = setTimeout(() => {
        this.#channel.close(CLOSE_CODES.normal, 'no answer to session_close');
        this.#finish({ code: CLOSE_CODES.abnormal, reason: 'the bridge did not answer session_close' });
      }, CLOSE_WAIT_MS);
    }
    await this.closed;
  }

  #listen(channel: Channel): void {
    this.#stopWatching = listenTo(channel, this.#clock, {
      end: (end) => this.#hungUp(end),
      fault: (fault) => this.#report(`the bridge sent something unreadable: ${fault.message}`),
      message: (text) => this.#receive(text),
    });
  }

  /** C5: either the end, or the beginning of a return. */
  #hungUp(end: ChannelEnd): void {
    const isCodeless = end.code === CLOSE_CODES.abnormal && this.#lastWords !== undefined;
    const said = isCodeless ? { ...end, code: codeOf(this.#lastWords as WireError) } : end;
    if (this.#end !== undefined || this.#comeBack === undefined || this.#inOrder || isFinal(said)) this.#finish(said);
    else void this.#return(said, this.#comeBack);
  }

  async #return(lost: ChannelEnd, comeBack: ComeBack): Promise<void> {
    const comingBack = new AbortController();
    this.#comingBack = comingBack;
    this.#listeners.emit('lost', { code: lost.code, reason: lost.reason || this.#farewell });
    const resume = () => ({ resume: this.id, last_seq: this.#lastSeq });
    try {
      await comeBack(resume, (channel, init) => this.#resume(channel, init), comingBack.signal);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      this.#finish({ code: lost.code, reason: `the connection was lost and the session could not be resumed: ${message}` });
    }
  }

  #resume(channel: Channel, init: SessionInit): void {
    if (init.session_id !== this.id) {
      channel.close(CLOSE_CODES.normal, 'not the session that was to be resumed');
      return this.#finish({ code: CLOSE_CODES.abnormal, reason: 'the bridge opened another session than the one to be resumed' });
    }
    this.#channel = channel;
    this.#comingBack = undefined;
    this.#lastWords = undefined;
    this.#farewell = '';
    this.#calls.sendAgain();
    if (this.#closing) this.#sendClose();
    if (JSON.stringify(init.tools) !== JSON.stringify(this.tools)) this.#replaceManifest(init);
    this.#listeners.emit('resumed');
    this.#listen(channel);
  }

  #sendClose(): void {
    this.#send('session_close', this.#closeReason === undefined ? {} : { reason: this.#closeReason });
  }

  /** @param input a call's, as JSON */
  #send(type: string, members: JsonObject, message_id = uuid(), input?: string): void {
    this.#spoke = true;
    const message = JSON.stringify({ protocol: PROTOCOL, type, session_id: this.id, message_id, ...members });
    this.#channel.send(input === undefined ? message : `${message.slice(0, -1)},"input":${input}}`);
  }

  #beat(): void {
    if (!this.#spoke) this.#send('heartbeat', {});
    this.#spoke = false;
  }

  #receive(text: string): void {
    const message = readBridgeMessage(text);
    if (message instanceof Error) {
      this.#report(message.message);
    } else if (message.session_id === this.id || (message.type === 'error' && message.session_id === NIL_UUID)) {
      this.#handle(message);
    } else {
      this.#report(`the bridge sent a ${message.type} of another session, ${message.session_id}`);
    }
  }

  #handle(message: BridgeMessage): void {
    this.#lastWords = undefined;
    switch (message.type) {
      case 'tool_result':
        this.#result(message, this.#isRepeated(message));
        break;
      case 'event':
        if (this.#isRepeated(message)) break;
        if (message.topic === 'tick') this.#observe(message.payload.snapshot);
        if (isTopic(message.topic)) this.#early.pass(message, this.#listeners.has(message.topic));
        break;
      case 'heartbeat':
        if (message.manifest_update !== undefined) this.#replaceManifest(message.manifest_update);
        break;
      case 'session_init':
        this.#replaceManifest(message);
        break;
      case 'session_close':
        this.#inOrder = true;
        this.#farewell = message.reason ?? '';
        break;
      case 'error':
        this.#refused(message);
    }
  }

  #result(result: ToolResult, isRepeated: boolean): void {
    if (result.meta?.snapshot !== undefined && !isRepeated) this.#observe(result.meta.snapshot);
    // A repeated one may all the same be the first that came of a call: of one that was sent again.
    if (!this.#calls.settle(result) && !isRepeated) this.#report(`the bridge sent a result of an unknown call, ${result.call_id}`);
  }

  /** C5: on one connection `seq` only grows, so a smaller one has been here before. */
  #isRepeated({ meta }: EventMessage | ToolResult): boolean {
    const seq = meta?.seq;
    if (typeof seq !== 'number') return false;
    if (seq <= this.#lastSeq) return true;
    this.#lastSeq = seq;
    return false;
  }

  #refused({ message_id, error }: ErrorMessage): void {
    this.#farewell = error.message;
    if (this.#calls.refuse(message_id, error)) return;
    this.#lastWords = error;
    if (this.#inOrder) return;
    if (error.code === 'session_expired') this.#calls.failAll(error);
    this.#report(`${error.code}: ${error.message}`);
  }

  #report(message: string): void {
    this.#listeners.emit('error', new Error(message));
  }

  #observe(snapshot: unknown): void {
    if (isObject(snapshot)) this.#snapshot = snapshot as Snapshot;
  }

  #replaceManifest(manifest: Manifest): void {
    this.#manifest = { ...this.#manifest, ...manifest };
    this.#listeners.emit('tools', this.tools);
  }

  #deliver({ topic, payload, meta = {} }: EventMessage): void {
    this.#listeners.emit<Topic>(topic, ...([payload, meta] as unknown as Parameters<SessionListeners[Topic]>));
  }

  #finish({ code, reason }: ChannelEnd): void {
    if (this.#end !== undefined) return;
    this.#end = { code: this.#inOrder ? this.#goodbye(code) : code, reason: reason || this.#farewell };
    this.#comingBack?.abort(new Error('the session is over'));
    this.#stopWatching?.();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#closeTimer);
    this.#calls.failAll(this.#over('the result did not come'));
    this.#listeners.emit('close', this.#end);
    this.#settleClosed(this.#end);
  }

  /** C7: after session_close the connection says whether that was meant; on TCP, which has no closing code, an error does. */
  #goodbye(code: number): number {
    const isForNow = code === CLOSE_CODES.overForNow || this.#lastWords?.retryable === true;
    return isForNow ? CLOSE_CODES.overForNow : CLOSE_CODES.normal;
  }

  #over(what: string) {
    const end = this.#end;
    const why = end === undefined ? 'closing' : `over (${end.code}${end.reason && `, ${end.reason}`})`;
    return { code: 'session_expired', message: `${what}: the session is ${why}`, retryable: false, reason: 'closed' } as const;
  }
}

function isTopic(type: string): type is Topic {
  return (TOPICS as readonly string[]).includes(type);
}
