import type { Json, JsonObject } from '../base/json.ts';
import type { Check } from './run.ts';

/** The schema that a keyword stands in. */
export interface Place {
  readonly schema: JsonObject;
  /** Compiles a schema in it that speaks about the same value. */
  same(keyword: string, key?: string | number): Check;
  /** Compiles one that speaks about a part of the value. */
  part(keyword: string, key?: string | number): Check;
  /** Makes it known by an address, or by the name of a place in one. */
  name(reference: string): void;
  /** Compiles what a reference leads to. */
  refer(reference: string): Check;
}

/** Whether something may stand there (if it throws, not), the same in words, and what it then checks: nothing, one thing or several. */
export type Keyword = [allows: (part: never) => unknown, what: string, make?: (part: never, place: Place) => Check | Check[] | undefined];

/** Stands for the address of a schema without `$id`. */
export const NOWHERE = 'schema:/';
export const ADDRESS = 'the address of a schema in this document';

export const isString = (part: Json) => typeof part === 'string';
export const isNumber = (part: Json) => typeof part === 'number';
export const isNames = (part: Json) => Array.isArray(part) && part.every(isString);
/** Of what has to be a schema, as its own compilation tells. */
export const isAny = () => true;
