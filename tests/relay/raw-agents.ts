import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';

/** What a test reads from the wire. */
export type Message = {
  type: string;
  session_id: string;
  message_id: string;
  error?: { code: string; message: string; retryable: boolean };
  [key: string]: unknown;
};

/** An agent without any SDK: text out, parsed messages in. */
export interface RawAgent {
  /** One line or text frame; bytes go as they are. */
  send(text: string | Uint8Array): void;
  /** The same for several, in one write. */
  sendTogether(texts: readonly (string | Uint8Array)[]): void;
  /** The next message. */
  next(): Promise<Message>;
  /** All that came and was not taken by `next`. */
  readonly unread: Message[];
  /** Resolves when the connection has ended; 0 where there is no code. */
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

class Reader {
  readonly unread: Message[] = [];
  #waiting: ((message: Message) => void)[] = [];

  take(text: string): void {
    const message = JSON.parse(text) as Message;
    const waiting = this.#waiting.shift();
    if (waiting) waiting(message);
    else this.unread.push(message);
  }

  next(): Promise<Message> {
    const message = this.unread.shift();
    return message ? Promise.resolve(message) : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function sender(
  socket: Pick<Socket, 'cork' | 'uncork'>,
  send: (text: string | Uint8Array) => void,
): Pick<RawAgent, 'send' | 'sendTogether'> {
  return {
    send,
    sendTogether(texts) {
      socket.cork();
      for (const text of texts) send(text);
      socket.uncork();
    },
  };
}

export async function webSocketAgent(
  url: string,
  protocols: string[] = [],
  options: ClientOptions = {},
): Promise<RawAgent & { ws: WebSocket }> {
  const ws = new WebSocket(url, protocols, options);
  const reader = new Reader();
  ws.on('message', (data) => reader.take(data.toString()));
  const closed = once(ws, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }));
  const [[response]] = await Promise.all([once(ws, 'upgrade'), once(ws, 'open')]);
  const send = (text: string | Uint8Array) => ws.send(text, { binary: false });
  return { ws, ...sender(response.socket, send), unread: reader.unread, next: () => reader.next(), closed, close: () => ws.close(1000) };
}

/** @param first a line that is sent with the connection, so that no silence comes before it (B3) */
export async function tcpAgent(port: number, first?: string): Promise<RawAgent & { socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  if (first !== undefined) socket.write(`${first}\n`);
  const reader = new Reader();
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) reader.take(line);
  });
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => socket.on('close', () => resolve({ code: 0, reason: rest })));
  await once(socket, 'connect');
  const send = (text: string | Uint8Array) => {
    socket.write(text);
    socket.write('\n');
  };
  return { socket, ...sender(socket, send), unread: reader.unread, next: () => reader.next(), closed, close: () => socket.end() };
}

/** The status that a WebSocket handshake was refused with, and its body. */
export async function refusedUpgrade(
  url: string,
  protocols: string[] = [],
  options: ClientOptions = {},
): Promise<{ status: number; body: string }> {
  const ws = new WebSocket(url, protocols, options);
  const [request, response] = await once(ws, 'unexpected-response');
  let body = '';
  for await (const chunk of response) body += chunk;
  request.destroy();
  return { status: response.statusCode, body };
}

/** One AICC message from an agent. */
export function message(type: string, session: string, members: object = {}): string {
  return JSON.stringify({ protocol: 'aicc/0.1', type, session_id: session, message_id: randomUUID(), ...members });
}
