import { isObject } from '../base/json.ts';

/** The JSON type of a value; whole numbers are `number` too. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  // Infinity and NaN are no JSON.
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : String(value);
  return Array.isArray(value) ? 'array' : typeof value;
}

/** How long it is: code points of a string, items of an array, members of an object. */
export function sizeOf(value: string | object): number {
  if (typeof value === 'string') return /[\ud800-\udfff]/.test(value) ? [...value].length : value.length;
  return (Array.isArray(value) ? value : Object.keys(value)).length;
}

/** The same for equal JSON values and for no others, as a member of a `Set` or `Map`. */
export function keyOf(value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? canonical(value) : value;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}

/** Whether a number is a multiple of another, forgiving what floating point loses: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return value % of === 0 || Math.abs(times - Math.round(times)) <= Math.min(1e-6, 5e-16 * Math.abs(times));
}
