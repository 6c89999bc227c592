import { randomUUID } from 'node:crypto';
import { check, Failure, fail, show } from './failure.ts';
import type { ErrorDetail, Init, JsonObject, Message } from './messages.ts';
import { NIL_UUID, PROTOCOL } from './messages.ts';
import type { Standing } from './standing.ts';
import type { Ending, Handshake, Target, Wire } from './wire.ts';

export interface AgentOptions {
  target: Target;
  standing: Standing;
  /** Milliseconds for which an answer that is due is waited for. */
  patienceMs: number;
}

/** AICC C5: what TCP says before a closing for which WebSocket has a code. */
const TCP_ENDINGS: { [code: number]: Partial<ErrorDetail> } = {
  1003: { code: 'invalid_input' },
  1008: { code: 'invalid_input' },
  1009: { code: 'invalid_input' },
  1012: { code: 'tool_unavailable', retryable: true },
  1013: { code: 'tool_unavailable', retryable: true },
  4001: { code: 'session_expired' },
};

/** One agent on one connection: says what a case wants said, right or wrong, and keeps everything that comes. */
export class Agent {
  readonly received: Message[] = [];
  ending: Ending | undefined;
  init: Init | undefined;
  readonly #options: AgentOptions;
  readonly #sentIds = new Set<string>();
  readonly #lookers = new Set<() => void>();
  #wire: Wire | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  async connect(handshake?: Handshake): Promise<this> {
    this.#wire = await this.#options.target.connect(
      {
        text: (text) => this.#take(text),
        other: (what) => this.#options.standing.wrong('json', `${what} came`),
        ended: (ending) => {
          this.ending = ending;
          this.#look();
        },
      },
      { timeoutMs: this.#options.patienceMs, ...handshake },
    );
    return this;
  }

  get wire(): Wire {
    return this.#wire ?? fail('nothing is connected');
  }

  get sessionId(): string {
    return this.init?.session_id ?? NIL_UUID;
  }

  get manifest(): Init {
    return this.init ?? fail('no session is open');
  }

  /** Sends a text, whatever it is; takes note of what it may be answered by. */
  send(text: string): void {
    const { call_id, message_id, session_id, type } = readObject(text);
    if (typeof message_id === 'string') this.#sentIds.add(message_id);
    if (type === 'tool_call' && typeof call_id === 'string') this.#options.standing.called(String(session_id ?? this.sessionId), call_id);
    if (type === 'session_resume') this.#options.standing.resumed(String(session_id));
    this.wire.send(text);
  }

  /** Sends an AICC message; `members` replace or, when undefined, take away the usual ones. @returns its message_id */
  say(type: string, members: { [name: string]: unknown } = {}): string {
    const message = { protocol: PROTOCOL, type, session_id: this.sessionId, message_id: randomUUID(), ...members };
    this.send(JSON.stringify(message));
    return message.message_id;
  }

  /** Sends a connect line. */
  ask(connect: JsonObject): void {
    if (typeof connect.resume === 'string') this.#options.standing.resumed(connect.resume);
    this.wire.send(JSON.stringify({ connect }));
  }

  /** Sends a tool_call. @returns its call_id */
  start(tool: string, input: JsonObject = {}, callId: string = randomUUID()): string {
    this.say('tool_call', { call_id: callId, tool, input });
    return callId;
  }

  /** Calls a tool and waits for its result. */
  async call(tool: string, input: JsonObject = {}): Promise<Message> {
    return this.result(this.start(tool, input));
  }

  /** The result of a call: the first, or the one with this index. */
  result(callId: string, index = 0): Promise<Message> {
    return this.until(() => this.results(callId)[index], `the tool_result of call ${callId}`);
  }

  results(callId: string): Message[] {
    return this.received.filter(({ call_id, type }) => type === 'tool_result' && call_id === callId);
  }

  /** The error that answers a message. */
  error(messageId: string): Promise<Message> {
    return this.message((message) => message.type === 'error' && message.message_id === messageId, `the error that answers ${messageId}`);
  }

  /** An event of a topic, of a kind. */
  event(topic: string, kind?: string): Promise<Message> {
    const wanted = (message: Message) => message.topic === topic && (kind === undefined || message.payload?.kind === kind);
    return this.message(wanted, `the event ${topic}${kind === undefined ? '' : ` ${kind}`}`);
  }

  events(topic: string): Message[] {
    return this.received.filter((message) => message.topic === topic);
  }

  message(wanted: (message: Message) => boolean, what: string): Promise<Message> {
    return this.until(() => this.received.find(wanted), what);
  }

  /** Waits until `find` gives something; it is tried whenever something comes. @throws {Failure} when it does not in time */
  until<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const { patienceMs } = this.#options;
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#lookers.delete(look);
        settle();
      };
      const last = () => (this.received.length === 0 ? '' : `; last came ${show(this.received.at(-1))}`);
      const timer = setTimeout(() => end(() => reject(new Failure(`${what} has not come within ${patienceMs} ms${last()}`))), patienceMs);
      const look = () => {
        const found = find();
        if (found !== undefined) end(() => resolve(found));
        else if (this.ending !== undefined)
          end(() => reject(new Failure(`the connection ended (${show(this.ending)}) before ${what} came${last()}`)));
      };
      this.#lookers.add(look);
      look();
    });
  }

  ended(): Promise<Ending> {
    return this.until(() => this.ending, 'the end of the connection');
  }

  /** The connection ends as a WebSocket would with this code. */
  async endsWith(code: number): Promise<void> {
    const ending = await this.ended();
    if (this.#options.target.transport !== 'tcp') return check(ending.code === code, `it closed with ${ending.code}, not ${code}`);
    const wanted = TCP_ENDINGS[code];
    if (wanted === undefined) return;
    const last = this.received.at(-1);
    check(last?.type === 'error', `no error stood before the closing: ${show(last)}`);
    for (const [name, value] of Object.entries(wanted)) {
      const said = last.error?.[name as keyof ErrorDetail];
      check(said === value, `the error before the closing says ${name} ${show(said)}, not ${show(value)}`);
    }
  }

  /** Everything that was sent has been handled and answered, as far as it is answered at once. */
  async settled(): Promise<void> {
    await this.call('cancel_call', { call_id: 'no such call' });
  }

  /** Waits for `session_init`. @throws {Failure} with the error that came instead */
  async opened(): Promise<this> {
    const first = await this.until(() => this.received.find(({ type }) => type === 'session_init' || type === 'error'), 'session_init');
    if (first.type === 'error') fail(`the session was not opened: ${show(first.error)}`);
    return this;
  }

  /** Ends the session, whatever runs. */
  async leave(): Promise<void> {
    if (this.ending !== undefined) return;
    this.say('session_close');
    await this.ended();
  }

  #take(text: string): void {
    let message: Message | undefined;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      message = undefined;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return this.#options.standing.wrong('json', `${show(text)} came`);
    const { standing } = this.#options;
    standing.seen.set('json', (standing.seen.get('json') ?? 0) + 1);
    standing.message(message, text, this.init?.session_id, this.#sentIds);
    if (message.type === 'session_init') this.init ??= message as Init;
    this.received.push(message);
    this.#look();
  }

  #look(): void {
    for (const look of [...this.#lookers]) look();
  }
}

function readObject(text: string): { [member: string]: unknown } {
  try {
    return Object(JSON.parse(text)) as { [member: string]: unknown };
  } catch {
    return {};
  }
}
