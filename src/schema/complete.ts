import { isObject, type Json, type JsonObject, pointerToken } from '../base/json.ts';
import { didYouMean, nearest } from '../base/nearest.ts';
import { TYPES } from './assertions.ts';
import { KEYWORDS } from './compile.ts';
import { typeOf } from './values.ts';

/** Keywords that say something to readers alone, those of older drafts, and ours. */
const ANNOTATIONS =
  'title description default examples example deprecated readOnly writeOnly format contentEncoding contentMediaType contentSchema $comment definitions dependencies additionalItems x-data-class';
const KNOWN = [...KEYWORDS.map(([name]) => name), ...ANNOTATIONS.split(' ')];

/** Where schemas stand in a schema: whether they speak of the same value, and whether there is one, a list or a map by name. */
const ALIKE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const PARTS = ['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames'];
const CHILDREN = [...new Set([...ALIKE, ...MAPS, ...PARTS])];

/** What a keyword tells about the type where none is given. */
const TELLS: [type: string, keywords: RegExp][] = [
  ['object', /Propert|^properties$|^required$|^dependent/],
  ['array', /[iI]tems$|[cC]ontains$/],
  ['string', /Length$|^pattern$/],
  ['number', /^(m|exclusiveM)(in|ax)imum$|^multipleOf$/],
];

/**
 * A schema as models get it: `type` beside every `enum` and `const`, and wherever the other keywords tell it, for some providers refuse a schema without.
 * @param schema one that compiles
 * @throws TypeError for what JSON Schema passes over in silence and nobody means: a misspelled keyword, a required member that is declared nowhere,
 * members outside of `properties`; the message begins with the JSON pointer
 */
export function completeSchema(schema: JsonObject): JsonObject {
  return complete(schema, '', undefined) as JsonObject;
}

/** @param declared the names of members that schemas around it, of the same value, declare; `any` where that cannot be told; undefined: it is a value's first */
function complete(schema: Json, pointer: string, declared: ReadonlySet<string> | 'any' | undefined): Json {
  if (!isObject(schema)) return schema;
  for (const keyword of Object.keys(schema)) refuseUnknown(keyword, schema, pointer);
  const names = new Set(declared === 'any' ? [] : declared);
  const isOpen = gather(schema, names) || declared === 'any';
  if (!isOpen && Array.isArray(schema.required)) {
    const missing = (schema.required as string[]).find((name) => !names.has(name));
    if (missing !== undefined)
      refuse(`${pointer}/required`, `names '${missing}', which properties does not declare${didYouMean(missing, names)}`);
  }
  // Behind a reference anything may be declared.
  const below = isOpen ? 'any' : names;
  const type = schema.type === undefined ? typeTold(schema, declared === undefined) : undefined;
  const copy: JsonObject = type === undefined ? { ...schema } : { type, ...schema };
  for (const keyword of CHILDREN) {
    const part = copy[keyword];
    if (part === undefined) continue;
    // What must not be, and what is only asked for, may name members that are not there.
    const outer = ALIKE.includes(keyword) ? (keyword === 'not' ? 'any' : below) : undefined;
    const at = `${pointer}/${keyword}`;
    if (Array.isArray(part)) copy[keyword] = part.map((each, index) => complete(each, `${at}/${index}`, outer));
    else if (MAPS.includes(keyword) && isObject(part))
      copy[keyword] = Object.fromEntries(
        Object.entries(part).map(([name, each]) => [name, complete(each, `${at}/${pointerToken(name)}`, outer)]),
      );
    else copy[keyword] = complete(part, at, outer);
  }
  return copy;
}

/** Adds the names of all members that it and its branches declare. @returns whether there may be others */
function gather(schema: JsonObject, names: Set<string>): boolean {
  for (const name of Object.keys((schema.properties ?? {}) as JsonObject)) names.add(name);
  const { additionalProperties: more, $ref, patternProperties, unevaluatedProperties } = schema;
  let isOpen = $ref !== undefined || patternProperties !== undefined || Boolean(more) || Boolean(unevaluatedProperties);
  for (const keyword of ALIKE) {
    const part = schema[keyword];
    const branches = Array.isArray(part) ? part : keyword === 'dependentSchemas' && isObject(part) ? Object.values(part) : [part];
    for (const branch of branches) if (isObject(branch)) isOpen = gather(branch, names) || isOpen;
  }
  return isOpen;
}

function refuseUnknown(keyword: string, schema: JsonObject, pointer: string): void {
  if (KNOWN.includes(keyword)) return;
  const at = `${pointer}/${pointerToken(keyword)}`;
  if (keyword === 'nullable') refuse(at, `is no keyword of JSON Schema: write type: ["${schema.type ?? 'string'}", "null"]`);
  const value = schema[keyword];
  const isMember = isObject(value) ? Object.keys(value).some((name) => KNOWN.includes(name)) : TYPES.includes(value as string);
  if (schema.properties === undefined && isMember) refuse(at, 'is no keyword of JSON Schema: members are declared below properties');
  const near = misspelled(keyword, KNOWN);
  if (near) refuse(at, `is no keyword of JSON Schema: did you mean '${near}'?`);
}

/** The known word that is meant, if one is clearly near; what goes on after one (`enumNames`) is a word of its own. */
function misspelled(word: string, known: string[]): string | undefined {
  const near = nearest(
    word,
    known.filter((each) => each.length > 3 && !(word.startsWith(each) && word.length > each.length + 1)),
  );
  return near && near.distance <= Math.max(1, Math.floor(word.length / 4)) ? near.name : undefined;
}

function typeTold(schema: JsonObject, isFirst: boolean): Json | undefined {
  if (schema.$ref !== undefined) return undefined;
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : (schema.enum as Json[] | undefined);
  if (values !== undefined) {
    const types = [...new Set(values.map((value) => (Number.isSafeInteger(value) ? 'integer' : typeOf(value))))];
    const all = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
    return all.length > 1 ? all : all[0];
  }
  if (!isFirst || ALIKE.some((keyword) => Object.hasOwn(schema, keyword))) return undefined;
  const told = TELLS.filter(([, keywords]) => Object.keys(schema).some((keyword) => keywords.test(keyword)));
  return told.length === 1 ? told[0]?.[0] : undefined;
}

function refuse(pointer: string, what: string): never {
  throw new TypeError(`${pointer} ${what}`);
}
