import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { type Message, NIL, type Transcript } from './transcript.ts';

/** Milliseconds: a message that was announced and does not come is a mistake of the script. */
const PATIENCE_MS = 15_000;

/** The agent's end of a connection. */
interface Line {
  write(text: string): void;
  pause(): void;
  resume(): void;
  cut(): void;
}

/** An agent at the relay whose talk is written down. */
export class DocAgent {
  readonly #waiting: Message[] = [];
  #line: Line | undefined;
  #ending: string | undefined;
  #notify = () => {};
  transcript: Transcript;
  session = NIL;

  private constructor(transcript: Transcript) {
    this.transcript = transcript;
  }

  static async dial(port: number, transcript: Transcript): Promise<DocAgent> {
    const agent = new DocAgent(transcript);
    const socket = connect(port, '127.0.0.1');
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) agent.#take(line);
    });
    socket.on('close', () => agent.#end(''));
    socket.on('error', () => {});
    agent.#line = {
      write: (text) => void socket.write(`${text}\n`),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      cut: () => socket.resetAndDestroy(),
    };
    await once(socket, 'connect');
    return agent;
  }

  /** By WebSocket, whose connections end with a code. */
  static async dialWebSocket(url: string, transcript: Transcript): Promise<DocAgent> {
    const agent = new DocAgent(transcript);
    const ws = new WebSocket(url);
    ws.on('message', (data) => agent.#take(data.toString()));
    ws.on('close', (code, reason) => agent.#end(` with ${code}: ${reason}`));
    agent.#line = {
      write: (text) => ws.send(text),
      pause: () => ws.pause(),
      resume: () => ws.resume(),
      cut: () => ws.terminate(),
    };
    await once(ws, 'open');
    return agent;
  }

  /** Sends a connect line. */
  ask(request: object): void {
    this.#write({ connect: request });
  }

  /** Sends an AICC message. `keep`: members of the envelope to be shown. @returns its message_id */
  say(type: string, members: object = {}, keep: readonly string[] = []): string {
    const message = { protocol: 'aicc/0.1', type, session_id: this.session, message_id: crypto.randomUUID(), ...members };
    this.#write(message, keep);
    return message.message_id;
  }

  call(call_id: string, tool: string, input: object = {}): void {
    this.say('tool_call', { call_id, tool, input });
  }

  /** The next messages, written down. @returns the last of them */
  async hear(count = 1, keep: readonly string[] = []): Promise<Message> {
    let last: Message | undefined;
    for (let heard = 0; heard < count; heard++) {
      last = await this.skip();
      this.transcript.add('←', last, keep);
    }
    return last as Message;
  }

  /** The next message, not written down. */
  async skip(): Promise<Message> {
    const message = await this.#next();
    if (message.type === 'session_init') this.session = message.session_id;
    return message;
  }

  /** The next message, of which only these members are written down. */
  async hearPart(members: readonly string[]): Promise<Message> {
    const message = await this.skip();
    this.transcript.addPart('←', message, members);
    return message;
  }

  /** Reads no more, until `goOn`. */
  stop(): void {
    this.#line?.pause();
  }

  goOn(): void {
    this.#line?.resume();
  }

  /** The end of the connection. */
  async ended(): Promise<void> {
    while (this.#ending === undefined) await this.#change();
    this.transcript.note(`the connection is closed${this.#ending}`);
  }

  /** The end of the connection, without a word. */
  async lost(): Promise<void> {
    while (this.#ending === undefined) await this.#change();
    this.transcript.note('the connection is lost');
  }

  /** Gone, without a word. */
  async cut(): Promise<void> {
    this.#line?.cut();
    await this.lost();
  }

  #take(text: string): void {
    this.#waiting.push(JSON.parse(text) as Message);
    this.#notify();
  }

  #end(how: string): void {
    this.#ending = how;
    this.#notify();
  }

  #write(value: object, keep: readonly string[] = []): void {
    this.transcript.add('→', value, keep);
    this.#line?.write(JSON.stringify(value));
  }

  async #next(): Promise<Message> {
    while (this.#waiting.length === 0) {
      if (this.#ending !== undefined) throw new Error(`the connection is over; so far:\n${this.transcript.text}`);
      await this.#change();
    }
    return this.#waiting.shift() as Message;
  }

  #change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`nothing more comes; so far:\n${this.transcript.text}`));
      const timer = setTimeout(late, PATIENCE_MS);
      this.#notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
