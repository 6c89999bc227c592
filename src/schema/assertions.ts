import { isObject, type Json, type JsonObject, pointerToken } from '../base/json.ts';
import { isAny, isNames, isNumber, isString, type Keyword } from './keyword.ts';
import { compilePattern, EXPRESSION } from './pattern.ts';
import type { Check } from './run.ts';
import { isMultiple, keyOf, sizeOf, typeOf } from './values.ts';

/** What `type` can name. */
export const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Asserts something of the values of one type. */
const on =
  <V>(type: string, test: (value: V) => boolean, say: (value: V) => string): Check =>
  (value, run) =>
    typeOf(value) !== type || test(value as V) || run.refuse(say, value as V);

const bound = (
  words: string,
  test: (value: number, limit: number) => boolean,
  allows: Keyword[0] = isNumber,
  what = 'a number',
): Keyword => [
  allows,
  what,
  (limit: number) =>
    on<number>(
      'number',
      (value) => test(value, limit),
      (value) => ` must be ${words} ${limit}, not ${value}`,
    ),
];

const COUNT: Keyword = [(part: Json) => Number.isInteger(part) && (part as number) >= 0, 'a whole number of at least 0'];

const size = (least: boolean, type: string, noun: string): Keyword => [
  COUNT[0],
  COUNT[1],
  (limit: number) =>
    on<string | object>(
      type,
      (value) => (least ? sizeOf(value) >= limit : sizeOf(value) <= limit),
      (value) => ` must have at ${least ? 'least' : 'most'} ${limit} ${noun}${limit === 1 ? '' : 's'}, not ${sizeOf(value)}`,
    ),
];

const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

const oneOf = (values: Json[], words: string): Check => {
  const keys = new Set(values.map(keyOf));
  const isFlat = !values.some(isContainer);
  return (value, run) => (!(isFlat && isContainer(value)) && keys.has(keyOf(value))) || run.refuse(() => words, value);
};

const required = (name: string, when?: string): Check => {
  const say = () => `/${pointerToken(name)} is required${when === undefined ? '' : ` where ${JSON.stringify(when)} is given`}`;
  return (value, run) =>
    !isObject(value) || Object.hasOwn(value, name) || (when !== undefined && !Object.hasOwn(value, when)) || run.refuse(say, value);
};

const unique: Check = (value, run) => {
  if (!Array.isArray(value)) return true;
  const indexes = new Map<unknown, number>();
  for (const [index, item] of value.entries()) {
    const key = keyOf(item);
    if (typeof key === 'string') run.spend(key.length / 4, ' has too much in it to tell whether items are equal');
    const equal = indexes.get(key);
    if (equal !== undefined) return run.refuse(() => ` must not have equal items, like those at ${equal} and ${index}`, value);
    indexes.set(key, index);
  }
  return true;
};

/**
 * The validation vocabulary of JSON Schema 2020-12, the cheapest first. Where the type is wrong or there is too much, nothing else is looked at
 * (`compile.ts`): what `maxLength` keeps out costs no `pattern`.
 */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  type: [
    (part: Json) => [part].flat().length > 0 && [part].flat().every((name) => TYPES.includes(name as string)),
    `one of ${TYPES.join(', ')}, or an array of them`,
    (part: string | string[]) => {
      const types = [part].flat();
      // Beyond that JSON readers round, so what is there is not what was sent.
      const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);
      const say = (value: unknown) =>
        ` must be ${types.join(' or ')}, not ${isRounded(value) ? `${value}, which is beyond ±${Number.MAX_SAFE_INTEGER}` : typeOf(value)}`;
      return (value, run) =>
        types.includes(typeOf(value)) || (Number.isSafeInteger(value) && types.includes('integer')) || run.refuse(say, value);
    },
  ],
  maxLength: size(false, 'string', 'character'),
  maxItems: size(false, 'array', 'item'),
  maxProperties: size(false, 'object', 'member'),
  enum: [Array.isArray, 'an array', (values: Json[]) => oneOf(values, ` must be one of ${JSON.stringify(values)}`)],
  const: [isAny, '', (value: Json) => oneOf([value], ` must be ${JSON.stringify(value)}`)],
  minimum: bound('at least', (value, limit) => value >= limit),
  maximum: bound('at most', (value, limit) => value <= limit),
  exclusiveMinimum: bound('more than', (value, limit) => value > limit),
  exclusiveMaximum: bound('less than', (value, limit) => value < limit),
  multipleOf: bound('a multiple of', isMultiple, (part: Json) => isNumber(part) && (part as number) > 0, 'a number above 0'),
  minLength: size(true, 'string', 'character'),
  pattern: [
    (part: Json) => isString(part) && compilePattern(part as string),
    EXPRESSION,
    (text: string) => {
      const pattern = compilePattern(text);
      return (value, run) =>
        typeof value !== 'string' || pattern.test(value, run) || run.refuse(() => ` must match the pattern ${text}`, value);
    },
  ],
  minItems: size(true, 'array', 'item'),
  uniqueItems: [(part) => typeof part === 'boolean', 'true or false', (wanted: boolean) => (wanted ? unique : undefined)],
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: size(true, 'object', 'member'),
  required: [isNames, 'an array of strings', (names: string[]) => names.map((name) => required(name))],
  dependentRequired: [
    (part: Json) => isObject(part) && Object.values(part).every(isNames),
    'an object of arrays of strings',
    (part: JsonObject) => Object.entries(part).flatMap(([when, names]) => (names as string[]).map((name) => required(name, when))),
  ],
};
