const WIDTH = 118;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
export const NIL = '00000000-0000-0000-0000-000000000000';
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
  addPart(arrow: '→' | '←', message: { readonly [member: string]: unknown }, members: readonly string[]): void {
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
