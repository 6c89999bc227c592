import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { fitsMessage } from '../../protocol/index.ts';
import type { Channel } from '../../transport/index.ts';
import { AICONTROL_LIMITS } from './aicontrol-limits.ts';
import { readCommand } from './command-input.ts';
import { type Command, CommandQueue, type Outcome } from './command-queue.ts';
import { type Client, Connection } from './connection.ts';
import { Driver } from './driver.ts';
import { EventHistory } from './event-history.ts';
import { observationOf, PublishedObservation } from './observation.ts';
import { RpcError } from './rpc.ts';

export interface EndpointOptions {
  character: string;
  world?: string | undefined;
  offer?: { sessionOffer: object; token: string } | undefined;
  tokenRequired: boolean;
  /** In constant time. Any token is right when none is required. */
  isToken(token: string): boolean;
  maxQueuedCommands?: number | undefined;
  maxEvents?: number | undefined;
  clock: Clock;
  enter(): Channel;
  onChange(listener: () => void): () => void;
}

type Method = (params: JsonObject, client: Client, room: number) => string | Promise<string>;

/** Before anybody may see or do anything. */
const OPEN_METHOD = 'auth';

/** W11: gets in when the queue is full, for a client must be able to end what runs. */
const STOP = 'stop';

/** One AiControl endpoint: its connections share one character, one command queue and one event history. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #connections = new Map<Connection, Client>();
  readonly #history: EventHistory;
  readonly #queue: CommandQueue;
  readonly #driver: Driver;
  readonly #observation: PublishedObservation;
  readonly #methods: ReadonlyMap<string, Method>;
  #lastError = '';
  #observedTick: number | undefined;
  #stopGivingBack: (() => void) | undefined;
  #closed = false;
  #address = { host: '', port: 0 };

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#history = new EventHistory(options.maxEvents ?? AICONTROL_LIMITS.events, AICONTROL_LIMITS.historyBytes);
    this.#driver = new Driver({
      ...options,
      seen: (seen) => this.#observation.publish(observationOf(seen)),
      event: (type, payload) => this.#history.add(Object.assign({ type }, payload, { type })),
    });
    this.#observation = new PublishedObservation(observationOf(this.#driver.seen));
    this.#queue = new CommandQueue({
      capacity: options.maxQueuedCommands ?? AICONTROL_LIMITS.queuedCommands,
      run: (command, signal, done) => this.#driver.run(command, signal, done),
      completed: (command, outcome) => this.#completed(command, outcome),
    });
    this.#methods = new Map<string, Method>([
      [OPEN_METHOD, (params, client) => this.#auth(params, client)],
      ['ping', () => '{"ok":true}'],
      ['status', () => this.#status()],
      ['observe', (_params, client) => this.#observe(client)],
      ['events', (params, _client, room) => this.#events(params, room)],
      ['act', (params, client) => this.#act(params, client)],
    ]);
  }

  /** Where it listens, for `status`. */
  listensOn(host: string, port: number): void {
    this.#address = { host, port };
  }

  accept(socket: Socket): void {
    if (this.#connections.size >= AICONTROL_LIMITS.connections) {
      socket.destroy();
      return;
    }
    const client: Client = { authorized: !this.#options.tokenRequired, observedTick: undefined };
    const connection: Connection = new Connection(socket, {
      client,
      clock: this.#options.clock,
      handle: (method, params, room) => this.#handle(client, method, params, room),
      fault: (message) => {
        this.#lastError = message;
      },
      closed: () => {
        this.#connections.delete(connection);
        this.#clientsChanged();
      },
    });
    this.#connections.set(connection, client);
    this.#clientsChanged();
  }

  /** Ends every command and connection and gives the character back; resolves when the game has heard of that, or does not answer. Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#stopGivingBack?.();
    this.#queue.failAll('the relay is going away');
    const givenBack = this.#driver.close('the relay is going away');
    for (const connection of [...this.#connections.keys()]) connection.close();
    return givenBack;
  }

  #handle(client: Client, name: string, params: JsonObject, room: number): string | Promise<string> {
    if (!client.authorized && name !== OPEN_METHOD) throw new RpcError('unauthorized', 'unauthorized: auth with the token comes first');
    const method = this.#methods.get(name);
    if (method === undefined)
      throw new RpcError('methodNotFound', `there is no such method: there is ${[...this.#methods.keys()].join(', ')}`);
    return method(params, client, room);
  }

  #auth({ token }: JsonObject, client: Client): string {
    if (typeof token !== 'string') throw new RpcError('invalidParams', 'token must be a string');
    client.authorized = this.#options.isToken(token);
    if (!client.authorized) this.#lastError = 'a client gave a wrong token';
    this.#clientsChanged();
    return JSON.stringify({ authorized: client.authorized });
  }

  #status(): string {
    return JSON.stringify({
      running: true,
      ...this.#address,
      queuedCommands: this.#queue.length,
      maxQueuedCommands: this.#queue.capacity,
      events: this.#history.size,
      maxEvents: this.#history.capacity,
      observationSeq: this.#observation.seq,
      lastError: this.#lastError,
    });
  }

  #observe(client: Client): string | Promise<string> {
    this.#driver.take();
    return this.#driver.isSettled ? this.#observed(client) : this.#driver.settled().then(() => this.#observed(client));
  }

  #observed(client: Client): string {
    const { ready, tick } = this.#driver.seen;
    if (ready) {
      client.observedTick = tick;
      this.#observedTick = tick;
    }
    return `{"observationSeq":${this.#observation.seq},"observation":${this.#observation.text}}`;
  }

  #events(params: JsonObject, room: number): string {
    const afterSeq = integer('afterSeq', params.afterSeq, 0);
    const limit = integer('limit', params.limit, AICONTROL_LIMITS.eventsByDefault);
    const clamped = Math.min(Math.max(limit, 1), AICONTROL_LIMITS.eventsAtMost);
    this.#driver.take();
    const { cut, events, latestSeq } = this.#history.after(Math.max(afterSeq, 0), clamped, room);
    if (cut && events.length === 0) throw new RpcError('invalidRequest', 'the id leaves no room for an event in the response');
    return `{"latestSeq":${latestSeq},"events":[${events.join(',')}]}`;
  }

  #act(params: JsonObject, client: Client): string {
    const { append, ...command } = readCommand(params);
    this.#driver.take();
    const observedTick = client.observedTick ?? this.#observedTick;
    const commandSeq = this.#queue.add({ ...command, observedTick }, append, command.type === STOP);
    if (commandSeq === undefined) throw new RpcError('queueFull', `the command queue is full: ${this.#queue.capacity} are waiting`);
    return `{"accepted":true,"commandSeq":${commandSeq}}`;
  }

  /** W12, W20 */
  #completed({ seq }: Command, outcome: Outcome): void {
    const event = { type: 'command_completed', commandSeq: seq, success: outcome.ok };
    if (!outcome.ok) {
      this.#history.add({ ...event, message: outcome.message, code: outcome.code, reason: outcome.reason });
    } else if (fitsMessage(JSON.stringify(outcome.output), AICONTROL_LIMITS.eventBytes)) {
      this.#history.add({ ...event, message: 'completed', output: outcome.output });
    } else {
      this.#history.add({ ...event, message: 'completed; its output is too large for an event' });
    }
  }

  /** W21 */
  #clientsChanged(): void {
    const isUsed = [...this.#connections.values()].some(({ authorized }) => authorized);
    if (isUsed || this.#closed) {
      this.#stopGivingBack?.();
      this.#stopGivingBack = undefined;
    } else {
      this.#stopGivingBack ??= this.#options.clock.schedule(() => this.#giveBack(), AICONTROL_LIMITS.giveBackMs);
    }
  }

  #giveBack(): void {
    this.#queue.failAll('the character was given back: no client is connected');
    void this.#driver.giveBack('no AiControl client is connected');
  }
}

/** W10: booleans are no integers, and null is not absence. */
function integer(name: string, value: JsonObject[string] | undefined, absent: number): number {
  if (value === undefined) return absent;
  if (!Number.isInteger(value)) throw new RpcError('invalidParams', `${name} must be an integer`);
  return value as number;
}
