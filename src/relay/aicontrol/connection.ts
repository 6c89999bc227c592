import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { type Framed, fitsMessage, LIMITS, NdjsonFramer, utf8Bytes } from '../../protocol/index.ts';
import { looksLikeHttp, looksLikeTls } from '../../transport/node.ts';
import { AICONTROL_LIMITS } from './aicontrol-limits.ts';
import { errorLine, type Request, RpcError, readRequest, resultLine } from './rpc.ts';

/** What one client is to the endpoint. */
export interface Client {
  /** W8: may use everything. */
  authorized: boolean;
  /** The tick of what it observed last. */
  observedTick: number | undefined;
}

export interface ConnectionOptions {
  client: Client;
  clock: Clock;
  /** The result as JSON text, of at most `room` bytes. @throws {RpcError} */
  handle(method: string, params: Extract<Request, { method: string }>['params'], room: number): string | Promise<string>;
  /** A line could not be answered with a result; one sentence without anything of the line. */
  fault(message: string): void;
  closed(): void;
}

const TOO_LONG = `a line's JSON must be at most ${AICONTROL_LIMITS.lineBytes} bytes`;
const TOO_LARGE = `the response would be larger than ${AICONTROL_LIMITS.lineBytes} bytes`;
/** Of a response, beside its id and its result. */
const ENVELOPE_BYTES = 64;

/** One TCP connection: requests in, one answer to each, in order (AiControl W2–W7). */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #framer = new NdjsonFramer(AICONTROL_LIMITS.lineBytes, { keepBlank: true });
  /** Lines that are not answered yet. */
  #lines: Framed[] = [];
  #isFirstChunk = true;
  #isFirst = true;
  /** An answer is being worked out, or the client does not read. */
  #isWaiting = false;
  #hasEnded = false;
  #isClosing = false;
  #stopLinger = () => {};

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, LIMITS.pingMs);
    socket.on('data', (chunk: Uint8Array) => this.#received(chunk));
    // A client may say that it sends no more and still read its answers.
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#goOn();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#stopLinger();
      this.#isClosing = true;
      this.#lines = [];
      options.closed();
    });
  }

  /** Hangs up after what has been answered. Idempotent. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#lines = [];
    this.#socket.end();
    // Goes on reading, for nothing: a socket closed over unread bytes resets, and the client would lose the last answer.
    this.#socket.resume();
    this.#stopLinger = this.#options.clock.schedule(() => this.#socket.destroy(), AICONTROL_LIMITS.lingerMs);
  }

  #received(chunk: Uint8Array): void {
    if (this.#isClosing) return;
    if (this.#isFirstChunk && looksLikeTls(chunk)) return this.#hangUpSilently();
    this.#isFirstChunk = false;
    const framed = this.#framer.push(chunk);
    if (this.#lines.length === 0) this.#lines = framed;
    else this.#lines.push(...framed);
    if (this.#isWaiting) this.#socket.pause();
    else this.#goOn();
  }

  /** Answers what has come, as far as the client reads along; the answers of one turn leave in one write. */
  #goOn(): void {
    if (this.#isWaiting || this.#isClosing) return;
    let out = '';
    let next = 0;
    let over = false;
    while (next < this.#lines.length && out.length < AICONTROL_LIMITS.unsentBytes && !over) {
      const line = this.#lines[next++] as Framed;
      const answer = this.#answer(line);
      if (answer === undefined) return this.#hangUpSilently();
      if (typeof answer === 'string') out += `${answer}\n`;
      else {
        void answer.then((text) => this.#answeredLate(text));
        this.#isWaiting = true;
        break;
      }
      over = 'fault' in line && line.fault.fatal;
    }
    this.#lines = next === this.#lines.length ? [] : this.#lines.slice(next);
    if (out !== '') this.#socket.write(out);
    if (over) this.close();
    else this.#afterTurn();
  }

  #afterTurn(): void {
    const unread = this.#socket.writableLength;
    if (!this.#isWaiting && unread > 0 && (this.#lines.length > 0 || unread > AICONTROL_LIMITS.unsentBytes)) this.#waitForReader();
    if (this.#isWaiting) {
      if (this.#lines.length > 0) this.#socket.pause();
    } else if (this.#lines.length > 0) {
      setImmediate(() => this.#goOn());
    } else if (this.#hasEnded) {
      this.close();
    } else if (this.#socket.isPaused()) {
      this.#socket.resume();
    }
  }

  #waitForReader(): void {
    this.#isWaiting = true;
    this.#socket.pause();
    // Called when all that was written before has left.
    this.#socket.write('', () => this.#wake());
  }

  #answeredLate(text: string): void {
    if (this.#isClosing) return;
    this.#socket.write(`${text}\n`);
    this.#wake();
  }

  #wake(): void {
    this.#isWaiting = false;
    this.#goOn();
  }

  /** undefined: no answer, the connection must end. */
  #answer(framed: Framed): string | Promise<string> | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if ('fault' in framed) {
      const { fatal } = framed.fault;
      return this.#refusal('null', fatal ? new RpcError('invalidRequest', TOO_LONG) : new RpcError('parse', 'the line is not UTF-8'));
    }
    if (isFirst && looksLikeHttp(framed.line)) return undefined;
    const request = readRequest(framed.line);
    return request.error === undefined ? this.#handle(request) : this.#refusal(request.id, request.error);
  }

  #handle({ id, method, params }: Extract<Request, { method: string }>): string | Promise<string> {
    try {
      const room = AICONTROL_LIMITS.lineBytes - ENVELOPE_BYTES - utf8Bytes(id);
      const result = this.#options.handle(method, params, room);
      return typeof result === 'string' ? this.#response(id, result) : this.#later(id, result);
    } catch (error) {
      return this.#refusal(id, error);
    }
  }

  async #later(id: string, result: Promise<string>): Promise<string> {
    try {
      return this.#response(id, await result);
    } catch (error) {
      return this.#refusal(id, error);
    }
  }

  #response(id: string, result: string): string {
    const line = resultLine(id, result);
    return fitsMessage(line) ? line : this.#refusal(id, new RpcError('invalidRequest', TOO_LARGE));
  }

  #refusal(id: string, thrown: unknown): string {
    const error = thrown instanceof RpcError ? thrown : new RpcError('invalidRequest', 'the request could not be handled');
    this.#options.fault(error.message);
    const line = errorLine(id, error);
    return fitsMessage(line) ? line : errorLine('null', error);
  }

  #hangUpSilently(): void {
    this.#isClosing = true;
    this.#lines = [];
    this.#socket.destroy();
  }
}
