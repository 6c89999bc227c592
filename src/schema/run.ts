import { isObject, pointerToken } from '../base/json.ts';

/** Whether a value satisfies a schema, or a keyword of one. `from`: where in the log the schema's own part begins. */
export type Check = (value: unknown, run: Run, from: number) => boolean;

type Key = string | number;

/** Thrown to end a check early. */
const ENOUGH = Symbol('enough');
const TOO_MUCH = ' is more than can be checked';

/** So many are told; then looking ends. */
const MOST_PROBLEMS = 10;
/**
 * What one check may cost: a step for each member or item that a schema looks at, and what patterns and comparisons cost. A message has half a million
 * items at most; only schemas that look at the same thing again and again, or costly patterns, come near it.
 */
const MOST_STEPS = 2_000_000;
/** A name or a list of allowed values may be of any length; what is wrong must still fit into a message. */
const MOST_CHARACTERS = 500;
/** In the log, instead of a member's name: a schema speaks of the whole as an object, so it has no members but those declared. */
export const CLOSED = -1;

/** One check of one value: where in it we are, what is wrong, and which members schemas have spoken about. */
export class Run {
  /** Pairs of an object or array and one of its names or indexes that a schema evaluated; a branch that fails takes its own back. */
  readonly log: unknown[] = [];
  readonly #logs: boolean;
  readonly #path: Key[] = [];
  readonly problems: string[] = [];
  #steps = 0;
  /** Nobody hears what is wrong, so the first problem is enough. */
  quiet = false;

  /** @param logs whether anybody will ask for the log */
  constructor(logs: boolean) {
    this.#logs = logs;
  }

  /** Checks a whole value; ends early when there is enough to tell or it costs too much. */
  whole(check: Check, value: unknown, strict: boolean): string[] {
    try {
      check(value, this, 0);
      if (strict) this.#refuseUndeclared(value);
    } catch (thrown) {
      if (thrown !== ENOUGH) throw thrown;
    }
    return this.problems;
  }

  /** Notes what a check costs. @throws ENOUGH when that is too much: then `what` is the problem here, and the whole check is over */
  spend(steps: number, what: string): void {
    this.#steps += steps;
    if (this.#steps <= MOST_STEPS) return;
    this.quiet = false;
    this.refuse(() => what, undefined);
    throw ENOUGH;
  }

  /** Something is wrong here. `say` goes on from the pointer: ` must …`, or `/name …` for a member. */
  refuse<V>(say: (value: V) => string, value: V): false {
    if (this.quiet) return false;
    const what = say(value);
    const at = this.#path.map((key) => `/${typeof key === 'string' ? pointerToken(key) : key}`).join('');
    const whole = (at === '' && !what.startsWith('/') ? '/' : at) + what;
    const problem = whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
    if (this.problems.includes(problem)) return false;
    const isLast = this.problems.length === MOST_PROBLEMS;
    this.problems.push(isLast ? 'and more' : problem);
    if (isLast) throw ENOUGH;
    return false;
  }

  /** Checks a member or an item, and logs that it was spoken about. */
  below(check: Check, whole: object, key: Key): boolean {
    this.spend(1, TOO_MUCH);
    this.mark(whole, key);
    this.#path.push(key);
    const ok = check((whole as Record<Key, unknown>)[key], this, 0);
    this.#path.pop();
    return ok;
  }

  /** Only asks: what is wrong is not told, and of a failure nothing is left in the log. */
  attempt(check: Check, value: unknown): boolean {
    this.spend(1, TOO_MUCH);
    const { quiet, log } = this;
    const { length } = log;
    this.quiet = true;
    const ok = check(value, this, 0);
    this.quiet = quiet;
    if (!ok) log.length = length;
    return ok;
  }

  mark(whole: unknown, key: Key): true {
    if (this.#logs) this.log.push(whole, key);
    return true;
  }

  markAll(whole: unknown): void {
    if (typeof whole === 'object' && whole !== null) for (const key of keysOf(whole)) this.mark(whole, key);
  }

  /** The names or indexes of one object or array that were spoken about since then. */
  evaluated(whole: unknown, from: number): Set<unknown> {
    const keys = new Set<unknown>();
    for (let at = from; at < this.log.length; at += 2) if (this.log[at] === whole) keys.add(this.log[at + 1]);
    return keys;
  }

  /** Refuses the members of closed objects that no schema spoke about, at every depth. */
  #refuseUndeclared(value: unknown): void {
    const known = new Map<unknown, Set<unknown>>();
    for (let at = 0; at < this.log.length; at += 2) {
      const keys = known.get(this.log[at]);
      if (keys) keys.add(this.log[at + 1]);
      else known.set(this.log[at], new Set([this.log[at + 1]]));
    }
    const look = (whole: unknown) => {
      if (typeof whole !== 'object' || whole === null) return;
      const names = isObject(whole) ? known.get(whole) : undefined;
      for (const key of keysOf(whole)) {
        this.#path.push(key);
        if (names && !names.has(key)) this.refuse(() => ' is not declared', whole);
        else look((whole as Record<Key, unknown>)[key]);
        this.#path.pop();
      }
    };
    look(value);
  }
}

export function keysOf(whole: object): Iterable<Key> {
  return Array.isArray(whole) ? whole.keys() : Object.keys(whole);
}
