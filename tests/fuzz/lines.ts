import { seededRandom } from '../../src/bridge/index.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const NIL = '00000000-0000-0000-0000-000000000000';
const WORDS = ['protocol', 'type', 'session_id', 'message_id', 'call_id', 'tool', 'input', 'connect', '__proto__', 'constructor', '', '💥'];
const ODD: Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  0.1,
  '',
  'x',
  '\u0000',
  '\ud800',
  [],
  {},
  NIL,
  'aicc/0.2',
  'tool_result',
  'session_init',
  [[]],
];

/** Makes lines that an agent should not send, some that it may, and everything in between. The same seed gives the same lines. */
export class LineMaker {
  readonly #random: () => number;
  #ids = 0;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** What one line or frame holds; `Uint8Array` where it may be no UTF-8. Never contains LF. */
  next(sessionId: string): string | Uint8Array {
    const kind = this.below(100);
    if (kind < 8) return this.#bytes();
    if (kind < 16) return this.#text();
    if (kind < 26) return JSON.stringify(this.#json(this.below(6)));
    if (kind < 28) return this.#deep();
    if (kind < 30) return this.#pick(['', ' ', '\r', '\t \r']);
    const message = this.#message(sessionId);
    if (kind < 45) return JSON.stringify(message);
    if (kind < 75) return JSON.stringify(this.#mutate(message));
    return this.#damage(JSON.stringify(this.#random() < 0.5 ? message : this.#mutate(message)));
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  #id(): string {
    return `00000000-0000-4000-8000-${(++this.#ids).toString(16).padStart(12, '0')}`;
  }

  #message(sessionId: string): { [key: string]: Json } {
    const session = this.#pick([sessionId, sessionId, sessionId, NIL, this.#id()]);
    const envelope = { protocol: 'aicc/0.1', session_id: session, message_id: this.#id() };
    const call = { ...envelope, type: 'tool_call', call_id: this.#id(), tool: 'echo', input: { text: this.#text() } };
    const kinds: { [key: string]: Json }[] = [
      call,
      call,
      call,
      { ...call, tool: this.#pick(['ech', 'cancel_call', 'Echo!', 'x'.repeat(300)]) },
      { ...call, input: { text: this.#json(2) } },
      { ...envelope, type: 'heartbeat' },
      { ...envelope, type: 'manifest_request' },
      { ...envelope, type: this.#pick(['tool_result', 'event', 'session_init', 'error', 'session_reset']) },
      { connect: { character: 'mira', [this.#pick(WORDS)]: this.#json(2) } },
    ];
    return this.#pick(kinds);
  }

  /** Leaves members out, adds some, or replaces their values. */
  #mutate(message: { [key: string]: Json }): Json {
    const copy = { ...message };
    for (let times = 1 + this.below(2); times > 0; times--) {
      const key = this.#pick(Object.keys(copy).length > 0 ? Object.keys(copy) : WORDS);
      const way = this.below(3);
      if (way === 0) delete copy[key];
      else copy[way === 1 ? key : this.#pick(WORDS)] = this.#random() < 0.5 ? this.#pick(ODD) : this.#json(3);
    }
    return copy;
  }

  /** Cuts, doubles or overwrites a piece of a text. */
  #damage(text: string): string {
    const at = this.below(text.length + 1);
    const length = this.below(12);
    const piece = this.#pick([
      '',
      text.slice(at, at + length).repeat(2),
      '"',
      '{',
      '}',
      '[',
      ',',
      '\\',
      '\\u',
      '\u0000',
      'é',
      '1e999',
      '//',
      '"\\ud83d',
    ]);
    return text.slice(0, at) + piece + text.slice(at + length);
  }

  #text(): string {
    let text = '';
    for (let length = this.below(60); length > 0; length--)
      text += String.fromCodePoint(32 + this.below(this.#random() < 0.9 ? 95 : 50_000));
    return text.replaceAll(/[\n\ud800-\udfff]/g, '?');
  }

  #bytes(): Uint8Array {
    return Uint8Array.from({ length: 1 + this.below(200) }, () => this.below(256)).map((byte) => (byte === 10 ? 11 : byte));
  }

  #json(depth: number): Json {
    if (depth === 0 || this.#random() < 0.4) return this.#random() < 0.5 ? this.#pick(ODD) : this.#text();
    const values = Array.from({ length: this.below(4) }, () => this.#json(depth - 1));
    return this.#random() < 0.5 ? values : Object.fromEntries(values.map((value) => [this.#pick(WORDS), value]));
  }

  #deep(): string {
    const depth = this.#pick([62, 63, 64, 65, 1_000, 10_000]);
    return this.#random() < 0.5 ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  }
}
