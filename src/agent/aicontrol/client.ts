import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptions } from '../../base/check-options.ts';
import type { JsonObject } from '../../base/json.ts';
import { DEFAULT_HOST, DEFAULT_PORTS } from '../../protocol/default-addresses.ts';
import { fitsMessage, LIMITS } from '../../protocol/index.ts';
import { AiControlConnectionError } from './errors.ts';
import { LineSocket } from './line-socket.ts';
import { problemOfResult, readResponse } from './responses.ts';
import type { AiControlCommand, AiControlStatus, CommandCompleted, EventPage, Observed } from './types.ts';

/** Where the endpoint is and how long to wait for it. */
export interface AiControlConnectOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 43011. */
  port?: number;
  /** For the connection and for each request, in milliseconds: a whole number from 1 to 2,147,483,647. */
  timeoutMs: number;
  /** Proves who you are, at once. Plaintext: beyond this machine use a tunnel. */
  token?: string;
  /** Allows a host other than this machine. Default false. */
  allowRemote?: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
const MAX_TIMEOUT_MS = 2_147_483_647;
/** Between two looks for a command's completion. */
const POLL_MS = 20;
/** Longer than a bridge lets any call run (AICC D9, D10, D12). */
const PERFORM_MS = 240_000;

/**
 * Connects to an AiControl endpoint, of ours or of another game.
 *
 *     const mira = await connectAiControl({ timeoutMs: 5_000 });
 *     const { observation } = await mira.observe();
 *     await mira.perform({ type: 'say', stringArg: 'Hello!' });
 *
 * @throws {TypeError} by rejecting: options that cannot mean anything
 * @throws {AiControlConnectionError} by rejecting: why there is no connection; `unauthorized` for a wrong token
 */
export async function connectAiControl(options: AiControlConnectOptions): Promise<AiControlClient> {
  checkOptions('connectAiControl(options)', options, {
    allowRemote: 'boolean',
    host: 'string',
    port: 'number',
    timeoutMs: 'any',
    token: 'string',
  });
  const { allowRemote = false, host = DEFAULT_HOST, port = DEFAULT_PORTS.aicontrol, timeoutMs, token } = options ?? {};
  if (!(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new TypeError(`timeoutMs must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`);
  }
  if (!allowRemote && !LOOPBACK.test(host)) {
    throw new TypeError(`AiControl is plaintext and ${host} is not this machine: use a tunnel, or say allowRemote: true`);
  }
  const client = new AiControlClient(await LineSocket.open(host, port, timeoutMs), timeoutMs);
  if (token !== undefined && !(await client.auth(token))) {
    client.close();
    throw new AiControlConnectionError('unauthorized', `AiControl at ${host}:${port}: the token is not valid there`);
  }
  return client;
}

/** A connection to an endpoint. Requests go out one after the other, whoever makes them. */
export class AiControlClient {
  readonly #socket: LineSocket;
  readonly #timeoutMs: number;
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param timeoutMs for each request */
  constructor(socket: LineSocket, timeoutMs: number) {
    this.#socket = socket;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Proves who you are (AiControl W8).
   * @returns whether the token is right; a wrong one takes away what an earlier one gave
   */
  async auth(token: string): Promise<boolean> {
    return (await this.#request('auth', { token })).authorized === true;
  }

  /** Resolves when the endpoint answers. */
  async ping(): Promise<void> {
    await this.#request('ping');
  }

  /** Tells how the endpoint is: its address, queue and events. */
  async status(): Promise<AiControlStatus> {
    return (await this.#request('status')) as unknown as AiControlStatus;
  }

  /** Returns what the character sees now (AiControl W9). */
  async observe(): Promise<Observed> {
    return (await this.#request('observe')) as unknown as Observed;
  }

  /**
   * Reads the events that the endpoint keeps (AiControl W10).
   * @param options `afterSeq`: only later ones, default all that are kept; `limit`: 1 to 500, default 100
   */
  async events(options: { afterSeq?: number; limit?: number } = {}): Promise<EventPage> {
    return (await this.#request('events', options)) as unknown as EventPage;
  }

  /**
   * Queues a command (AiControl W11).
   * @returns its number, which its `command_completed` repeats
   */
  async act(command: AiControlCommand): Promise<number> {
    return (await this.#request('act', command as JsonObject)).commandSeq as number;
  }

  /**
   * Queues a command and waits until it is over, by polling `events`.
   * @param options `timeoutMs`: how long, in milliseconds, default 240,000
   * @returns what became of it; a failure too
   * @throws {Error} by rejecting, when it was not told in time
   */
  async perform(command: AiControlCommand, { timeoutMs = PERFORM_MS } = {}): Promise<CommandCompleted> {
    const giveUpAt = performance.now() + timeoutMs;
    const over = new Error(`the command ${JSON.stringify(command.type)} was not over within ${timeoutMs} ms`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      // A request of its own may take longer; it is left to end, for the connection is still good.
      timer = setTimeout(() => reject(over), timeoutMs);
    });
    try {
      return await Promise.race([this.#completed(command, giveUpAt), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Rejects in time only where the endpoint answers; who waits for it does not rely on that. */
  async #completed(command: AiControlCommand, giveUpAt: number): Promise<CommandCompleted> {
    // The newest one only: a cursor from before the command.
    let { latestSeq: afterSeq } = await this.events({ afterSeq: Number.MAX_SAFE_INTEGER, limit: 1 });
    const commandSeq = await this.act(command);
    for (;;) {
      const { events } = await this.events({ afterSeq });
      const completed = events.find(({ event }) => event.type === 'command_completed' && event.commandSeq === commandSeq);
      if (completed !== undefined) return completed.event as CommandCompleted;
      afterSeq = events.at(-1)?.seq ?? afterSeq;
      if (performance.now() >= giveUpAt) throw new Error('nobody waits any more');
      if (events.length === 0) await sleep(POLL_MS);
    }
  }

  /** Hangs up; what is under way rejects. Idempotent. */
  close(): void {
    this.#socket.fail(new AiControlConnectionError('closed', 'the connection was closed by close()'));
  }

  #request(method: string, params: object = {}): Promise<JsonObject> {
    const answer = this.#turn.then(() => this.#ask(method, params));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async #ask(method: string, params: object): Promise<JsonObject> {
    const id = ++this.#lastId;
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    if (!fitsMessage(line)) throw new TypeError(`a request must be at most ${LIMITS.messageBytes} bytes of JSON`);
    const response = readResponse(await this.#socket.exchange(line, this.#timeoutMs), id);
    if (typeof response === 'string') throw this.#bad(response);
    if ('error' in response) throw response.error;
    const problem = problemOfResult(method, response.result);
    if (problem !== undefined) throw this.#bad(problem);
    return response.result;
  }

  #bad(problem: string): AiControlConnectionError {
    return this.#socket.fail(new AiControlConnectionError('bad_response', problem));
  }
}
