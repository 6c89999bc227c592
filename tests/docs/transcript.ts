import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Milliseconds: a message that was announced and does not come is a mistake of the script. */
const PATIENCE_MS = 15_000;
const WIDTH = 118;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const NIL = '00000000-0000-0000-0000-000000000000';
const ENVELOPE = ['protocol', 'session_id', 'message_id'];

export interface Message {
  [member: string]: unknown;
  session_id: string;
  message_id: string;
}

/** What an agent and a bridge said to each other, for people to read: ids replaced by ones that are the same in every run. */
export class Transcript {
  readonly #lines: string[] = [];
  readonly #ids = new Map<string, string>([[NIL, NIL]]);
  readonly #whole: boolean;

  /** `whole`: with protocol, session_id and message_id, which else are left out. */
  constructor(whole = false) {
    this.#whole = whole;
  }

  /** A message of which only some members are of interest. */
  addPart(arrow: '→' | '←', message: Message, members: readonly string[]): void {
    const part = Object.fromEntries(members.map((name) => [name, message[name]]));
    this.#lines.push(`${arrow} ${this.#renamed(inOneLine(part)).replace(/}$/, ', …}')}`);
  }

  add(arrow: '→' | '←', value: object, keep: readonly string[] = []): void {
    const isShort = !this.#whole && !('connect' in value);
    const shown = Object.entries(value).filter(([name]) => !isShort || !ENVELOPE.includes(name) || keep.includes(name));
    const text = layOut(Object.fromEntries(shown), '');
    this.#lines.push(`${arrow} ${this.#renamed(text).replaceAll('\n', '\n  ')}`);
  }

  note(text: string): void {
    this.#lines.push(`  (${text})`);
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  #renamed(text: string): string {
    return text.replace(UUID, (id) => {
      const known = this.#ids.get(id) ?? `${String(this.#ids.size).padStart(8, '0')}-0000-4000-8000-000000000000`;
      this.#ids.set(id, known);
      return known;
    });
  }
}

/** JSON with a space after colons and commas, broken into lines where it is too long for one. */
function layOut(value: unknown, indent: string): string {
  const oneLine = inOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + oneLine.length <= WIDTH) return oneLine;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => `${deeper}${layOut(each, deeper)}`)
    : Object.entries(value).map(([name, each]) => `${deeper}${JSON.stringify(name)}: ${layOut(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${inOneLine(each)}`)
    .join(', ')}}`;
}

/** An agent at the relay's TCP port whose talk is written down. */
export class DocAgent {
  readonly #socket: Socket;
  readonly #waiting: Message[] = [];
  #notify = () => {};
  transcript: Transcript;
  session = NIL;
  isOver = false;

  private constructor(socket: Socket, transcript: Transcript) {
    this.#socket = socket;
    this.transcript = transcript;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) this.#waiting.push(JSON.parse(line) as Message);
      this.#notify();
    });
    socket.on('close', () => {
      this.isOver = true;
      this.#notify();
    });
    socket.on('error', () => {});
  }

  static async dial(port: number, transcript: Transcript): Promise<DocAgent> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new DocAgent(socket, transcript);
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
      last = await this.#next();
      if (last.type === 'session_init') this.session = last.session_id;
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

  /** The end of the connection. */
  async ended(): Promise<void> {
    while (!this.isOver) await this.#change();
    this.transcript.note('the connection is closed');
  }

  /** Gone, without a word. */
  async cut(): Promise<void> {
    this.#socket.resetAndDestroy();
    while (!this.isOver) await this.#change();
    this.transcript.note('the connection is lost');
  }

  #write(value: object, keep: readonly string[] = []): void {
    this.transcript.add('→', value, keep);
    this.#socket.write(`${JSON.stringify(value)}\n`);
  }

  async #next(): Promise<Message> {
    while (this.#waiting.length === 0) {
      if (this.isOver) throw new Error(`the connection is over; so far:\n${this.transcript.text}`);
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
