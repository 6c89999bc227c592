import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An answer as it came: the bytes of one line, and what they mean. */
export type Answer = { text: string; id: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };

/** A bare socket: bytes out, lines in. */
export class RawClient {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  hasEnded = false;
  #rest = Buffer.alloc(0);
  #lines: string[] = [];
  #wake = () => {};
  #id = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('error', () => {});
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        this.#wake();
        resolve();
      };
      socket.on('end', end);
      socket.on('close', end);
    });
  }

  static async connect(port: number, options: { allowHalfOpen?: boolean } = {}): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', ...options });
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Bytes that came and make no line. */
  get unfinished(): string {
    return this.#rest.toString();
  }

  send(...parts: (string | Uint8Array)[]): void {
    for (const part of parts) this.socket.write(part);
  }

  /** The next line; throws when the connection has ended without one. */
  async line(): Promise<string> {
    while (this.#lines.length === 0) {
      if (this.hasEnded) throw new Error('the connection has ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#lines.shift() as string;
  }

  async answer(): Promise<Answer> {
    const text = await this.line();
    return { text, ...JSON.parse(text) };
  }

  /** Sends a request of the usual form and gives its answer. */
  async ask(method: string, params?: object): Promise<Answer> {
    const id = ++this.#id;
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) })}\n`);
    const answer = await this.answer();
    if (answer.id !== id) throw new Error(`an answer to ${id} came with the id ${JSON.stringify(answer.id)}: ${answer.text.slice(0, 200)}`);
    return answer;
  }

  /** The result of a request that must have one. */
  async result(method: string, params?: object): Promise<Record<string, unknown>> {
    const { result, text } = await this.ask(method, params);
    if (result === undefined) throw new Error(`${method} was refused: ${text}`);
    return result;
  }

  #received(chunk: Buffer): void {
    const parts: Buffer[] = [];
    let whole = Buffer.concat([this.#rest, chunk]);
    for (let end = whole.indexOf(10); end !== -1; end = whole.indexOf(10)) {
      parts.push(whole.subarray(0, end));
      whole = whole.subarray(end + 1);
    }
    this.#rest = whole;
    this.#lines.push(...parts.map(String));
    if (parts.length > 0) this.#wake();
  }
}
