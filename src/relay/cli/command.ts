import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Io, UsageError } from './io.ts';

type OptionSpecs = NonNullable<ParseArgsConfig['options']>;

/** One word after `aicc`. */
export interface Command {
  /** One line for `aicc help`. */
  summary: string;
  /** What `aicc COMMAND --help` prints. */
  help: string;
  options: OptionSpecs;
  /** @returns the exit code */
  run(given: Given, io: Io): Promise<number>;
}

/** What stood on the command line. */
export class Given {
  readonly words: readonly string[];
  readonly #values: Record<string, unknown>;

  private constructor(words: string[], values: Record<string, unknown>) {
    this.words = words;
    this.#values = values;
  }

  /** @throws {UsageError} */
  static parse(args: string[], options: OptionSpecs): Given {
    try {
      const { positionals, values } = parseArgs({
        args: withNegatives(args, options),
        options: { ...options, help: { type: 'boolean', short: 'h' } },
        allowPositionals: true,
      });
      return new Given(positionals, values);
    } catch (error) {
      // Node explains at length; its first sentence is enough.
      throw new UsageError((error as Error).message.split(/\.\s|\n/)[0]);
    }
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  texts(name: string): string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  /** A number between bounds. @throws {UsageError} */
  number(name: string, { min, max, whole = false }: { min: number; max: number; whole?: boolean }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
    throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not "${text}"`);
  }

  /** Milliseconds from an option in seconds. @param minSeconds default 0 @throws {UsageError} */
  milliseconds(name: string, maxSeconds: number, minSeconds = 0): number | undefined {
    const seconds = this.number(name, { min: minSeconds, max: maxSeconds });
    return seconds === undefined ? undefined : Math.round(seconds * 1000);
  }

  /** The words, each named in `names`; a name that ends with `?` may be missing. @throws {UsageError} for too few or too many */
  expectWords(...names: string[]): void {
    const missing = names[this.words.length];
    if (missing !== undefined && !missing.endsWith('?')) throw new UsageError(`${missing} is missing`);
    const extra = this.words[names.length];
    if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many`);
  }
}

/** Node takes what begins with a dash for another option; a negative number is the value of the one before it, and wrong for what it is. */
function withNegatives(args: readonly string[], options: OptionSpecs): string[] {
  const joined: string[] = [];
  for (const each of args) {
    const before = joined.at(-1);
    if (/^-\.?\d/.test(each) && before?.startsWith('--') && options[before.slice(2)]?.type === 'string')
      joined[joined.length - 1] = `${before}=${each}`;
    else joined.push(each);
  }
  return joined;
}
