import {
  type BridgeMessage,
  type Capabilities,
  type CatalogueTool,
  type ErrorMessage,
  type EventMessage,
  type JsonObject,
  LIMITS,
  type Manifest,
  type ModelDeclaration,
  NIL_UUID,
  PROTOCOL,
  type SessionInit,
  type TickMode,
  TOPICS,
  type Topic,
  uuid,
} from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { type CallOptions, Calls } from './calls.ts';
import { EarlyEvents } from './early-events.ts';
import { isObject, readBridgeMessage } from './envelope.ts';
import { CallError } from './errors.ts';
import type { SessionListeners, Snapshot } from './events.ts';
import { Listeners } from './listeners.ts';
import type { Session } from './session.ts';

/** How long `close()` waits for the bridge's answer, in milliseconds of wall time. */
const CLOSE_WAIT_MS = 2_000;

/** A `Session` on one channel, from its `session_init` on. */
export class AgentSession implements Session {
  readonly id: string;
  readonly closed: Promise<ChannelEnd>;
  readonly #channel: Channel;
  readonly #listeners = new Listeners();
  readonly #early: EarlyEvents;
  readonly #calls = new Calls((call_id, tool, input) => this.#send('tool_call', { call_id, tool, input }, call_id));
  #manifest: Manifest;
  #snapshot: Snapshot | undefined;
  #end: ChannelEnd | undefined;
  #closing = false;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #settleClosed!: (end: ChannelEnd) => void;
  /** The bridge's last words; they say more than a close code. */
  #farewell = '';
  /** The bridge said session_close. */
  #inOrder = false;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #spoke = false;

  constructor(channel: Channel, init: SessionInit) {
    this.id = init.session_id;
    this.#manifest = init;
    this.#channel = channel;
    this.#early = new EarlyEvents((event) => this.#deliver(event));
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    // In a page both ends live and die together; elsewhere a silent agent must not look dead (AICC C3).
    if (channel.kind !== 'memory') this.#heartbeat = setInterval(() => this.#beat(), LIMITS.heartbeatMs);
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
      this.#send('session_close', reason === undefined ? {} : { reason });
      this.#closeTimer = setTimeout(() => {
        this.#channel.close(1000, 'no answer to session_close');
        this.#finish({ code: 1006, reason: 'the bridge did not answer session_close' });
      }, CLOSE_WAIT_MS);
    }
    await this.closed;
  }

  #listen(channel: Channel): void {
    channel.onClose((end) => this.#finish(end));
    channel.onFault((fault) => this.#report(`the bridge sent something unreadable: ${fault.message}`));
    // Last, because what has come already is handed over at once.
    channel.onMessage((text) => this.#receive(text));
  }

  #send(type: string, members: JsonObject, message_id = uuid()): void {
    this.#spoke = true;
    this.#channel.send(JSON.stringify({ protocol: PROTOCOL, type, session_id: this.id, message_id, ...members }));
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
    switch (message.type) {
      case 'tool_result':
        if (message.meta?.snapshot !== undefined) this.#observe(message.meta.snapshot);
        if (!this.#calls.settle(message)) this.#report(`the bridge sent a result of an unknown call, ${message.call_id}`);
        break;
      case 'event':
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

  #refused({ message_id, error }: ErrorMessage): void {
    this.#farewell = error.message;
    if (this.#calls.refuse(message_id, error)) return;
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
    // TCP has no closing code of its own.
    this.#end = { code: this.#inOrder ? 1000 : code, reason: reason || this.#farewell };
    clearInterval(this.#heartbeat);
    clearTimeout(this.#closeTimer);
    this.#calls.failAll(this.#over('the result did not come'));
    this.#listeners.emit('close', this.#end);
    this.#settleClosed(this.#end);
  }

  #over(what: string) {
    const end = this.#end;
    const why = end === undefined ? 'closing' : `over (${end.code}${end.reason && `, ${end.reason}`})`;
    return { code: 'session_expired', message: `${what}: the session is ${why}`, retryable: false } as const;
  }
}

function isTopic(type: string): type is Topic {
  return (TOPICS as readonly string[]).includes(type);
}
