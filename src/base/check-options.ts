import { isObject } from './json.ts';
import { didYouMean } from './nearest.ts';

/** What an option may be. Numbers are finite: `number` is 0 or more, `positive` more than 0, `count` a whole number of at least 1. */
export type OptionKind = keyof typeof KINDS | `${'number' | 'object'}|function` | 'string|object';

const isNumber = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;
const is = (type: string) => (value: unknown) => typeof value === type;
const isFunction = is('function');

const KINDS = {
  any: [() => true, ''],
  string: [is('string'), 'a string'],
  boolean: [is('boolean'), 'true or false'],
  function: [isFunction, 'a function'],
  object: [isObject, 'an object'],
  list: [Array.isArray, 'an array'],
  signal: [(value: unknown) => isFunction((value as AbortSignal | null)?.throwIfAborted), 'an AbortSignal'],
  number: [isNumber, 'a number of at least 0'],
  positive: [(value: unknown) => isNumber(value) && value > 0, 'a number above 0'],
  count: [(value: unknown) => isNumber(value) && Number.isInteger(value) && value > 0, 'a whole number of at least 1'],
} as const;

/**
 * Refuses what plain JavaScript would pass over in silence: options that are no object, one that does not exist, or one of the wrong kind.
 * `undefined` counts as left out, for the options and for each of them.
 * @param where the call as its caller writes it: `vision(options)`
 * @param known every option with its kind
 * @throws TypeError that says what is wrong and how to mend it
 */
export function checkOptions<T extends object>(where: string, given: T | undefined, known: Readonly<Record<keyof T, OptionKind>>): void {
  if (given === undefined) return;
  const names = Object.keys(known);
  const wrong = (what: string) => {
    throw new TypeError(`${where}: ${what}`);
  };
  if (!isObject(given)) return wrong(`the options must be an object, like { ${names[0]}: … }, not ${shown(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) wrong(`there is no option '${name}'${didYouMean(name, names) || `; there are ${names.join(', ')}`}`);
    const kinds = known[name as keyof T].split('|') as (keyof typeof KINDS)[];
    if (value !== undefined && !kinds.some((kind) => KINDS[kind][0](value)))
      wrong(`${name} must be ${kinds.map((kind) => KINDS[kind][1]).join(' or ')}, not ${shown(value)}`);
  }
}

/** Something given by a developer, in a few words. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return isFunction(value) ? 'a function' : String(value);
}
