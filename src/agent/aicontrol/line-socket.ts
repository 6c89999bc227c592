import { connect, type Socket } from 'node:net';
import { NdjsonFramer } from '../../protocol/index.ts';
import { socketFailure } from '../socket-failure.ts';
import { AiControlConnectionError } from './errors.ts';

const START = 'start a relay that has it with `npx phaser-aicc relay --aicontrol`';

interface Waiting {
  resolve(line: string): void;
  reject(error: AiControlConnectionError): void;
}

/** A TCP connection that sends a line and gets a line, one exchange at a time. Any fault ends it. */
export class LineSocket {
  readonly #socket: Socket;
  readonly #framer = new NdjsonFramer(undefined, { keepBlank: true });
  readonly #name: string;
  #waiting: Waiting | undefined;
  #fault: AiControlConnectionError | undefined;

  private constructor(socket: Socket, name: string) {
    this.#socket = socket;
    this.#name = name;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Uint8Array) => this.#received(chunk));
    socket.on('error', (error) => this.fail(new AiControlConnectionError('closed', `${name}: ${error.message}`, { cause: error })));
    socket.on('close', () => this.fail(new AiControlConnectionError('closed', `${name} closed the connection`)));
  }

  /** @throws {AiControlConnectionError} by rejecting: `unreachable`, `timeout` */
  static open(host: string, port: number, timeoutMs: number): Promise<LineSocket> {
    const name = `AiControl at ${host}:${port}`;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const fail = (error: AiControlConnectionError) => {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      };
      const onError = (error: Error) =>
        fail(new AiControlConnectionError('unreachable', `${name}: ${socketFailure(error, START)}`, { cause: error }));
      const timer = setTimeout(
        () => fail(new AiControlConnectionError('timeout', `${name}: no connection within ${timeoutMs} ms`)),
        timeoutMs,
      );
      socket.once('error', onError);
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', onError);
        resolve(new LineSocket(socket, name));
      });
    });
  }

  /** Sends a line and gives the next one that comes. The caller waits for it before it sends another. */
  exchange(line: string, timeoutMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#fault !== undefined) return reject(this.#fault);
      const late = () =>
        this.fail(
          new AiControlConnectionError(
            'timeout',
            `${this.#name}: it takes the connection but does not answer: nothing came within ${timeoutMs} ms`,
          ),
        );
      const timer = setTimeout(late, timeoutMs);
      const settle =
        <T>(settled: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settled(value);
        };
      this.#waiting = { resolve: settle(resolve), reject: settle(reject) };
      this.#socket.write(`${line}\n`);
    });
  }

  /** Ends it; the exchange under way, and every later one, rejects with `error`. Only the first counts. */
  fail(error: AiControlConnectionError): AiControlConnectionError {
    if (this.#fault !== undefined) return this.#fault;
    this.#fault = error;
    this.#socket.destroy();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
    return error;
  }

  #received(chunk: Uint8Array): void {
    for (const framed of this.#framer.push(chunk)) {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if ('fault' in framed || waiting === undefined) {
        this.#waiting = waiting;
        const problem = 'fault' in framed ? framed.fault.message : 'a line came that nobody asked for';
        this.fail(new AiControlConnectionError('bad_response', `${this.#name}: ${problem}`));
        return;
      }
      waiting.resolve(framed.line);
    }
  }
}
