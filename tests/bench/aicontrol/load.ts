import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const LF = 10;

/** A connection for measuring, as cheap as Node has it: lines are only looked at when asked for. */
class Line {
  #socket!: Socket;
  #parts: Buffer[] = [];
  #keep = false;
  #done: (line: Buffer[]) => void = () => {};

  static async open(port: number): Promise<Line> {
    const line = new Line();
    const callback = (bytes: number, buffer: Uint8Array): boolean => {
      line.#received(buffer, bytes);
      return true;
    };
    line.#socket = connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(65_536), callback } });
    line.#socket.setNoDelay(true);
    await once(line.#socket, 'connect');
    return line;
  }

  #received(buffer: Uint8Array, bytes: number): void {
    if (this.#keep) this.#parts.push(Buffer.from(buffer.subarray(0, bytes)));
    if (buffer[bytes - 1] !== LF) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#done(parts);
  }

  /** Sends and calls back when one line has come; with its bytes when they are to be kept. */
  send(request: string, done: (line: Buffer[]) => void, keep = false): void {
    this.#done = done;
    this.#keep = keep;
    this.#socket.write(request, 'latin1');
  }

  ask(method: string, params?: object): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const answered = (parts: Buffer[]) => {
        const { result, error } = JSON.parse(Buffer.concat(parts).toString());
        if (error) reject(new Error(error.message));
        else resolve(result);
      };
      this.send(request(method, params), answered, true);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

export function request(method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) })}\n`;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
}

/** One unit of work on one connection; calls back when it is done. */
export type Work = (line: Line, done: () => void) => void;

/** Each connection does one thing after the other, for so long. */
export async function measure(port: number, connections: number, ms: number, work: Work): Promise<Measured> {
  const lines = await Promise.all(Array.from({ length: connections }, () => Line.open(port)));
  const times: number[] = [];
  const start = performance.now();
  const end = start + ms;
  await Promise.all(
    lines.map(
      (line) =>
        new Promise<void>((resolve) => {
          const next = () => {
            const began = performance.now();
            work(line, () => {
              const now = performance.now();
              times.push(now - began);
              if (now < end) next();
              else resolve();
            });
          };
          next();
        }),
    ),
  );
  const took = performance.now() - start;
  for (const line of lines) line.close();
  times.sort((a, b) => a - b);
  return { perSecond: (times.length / took) * 1_000, p50Ms: times[times.length >> 1] ?? 0 };
}

/** Starts a server that prints its port. */
export async function serve(program: string, args: string[]): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${program} ${args.join(' ')} ended`);
  });
  failed.catch(() => {});
  const [text] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), failed]);
  return { port: Number(String(text)), child };
}
