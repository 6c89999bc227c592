import { isObject, type Json, type JsonObject } from '../base/json.ts';

/** Whether a session may know something of this data class. */
export type MayKnow = (dataClass: string) => boolean;

type Schema = JsonObject;

/** Where a JSON Schema holds one schema that looks at the same value, a list of them, or named ones. */
const SAME_ONE = ['if', 'then', 'else'] as const;
const SAME_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const INNER_ONE = ['items', 'additionalProperties', 'contains', 'unevaluatedItems', 'unevaluatedProperties'] as const;
const INNER_NAMED = ['properties', 'patternProperties'] as const;
/** Where plain data stands, or schemas that count only where something refers to them. */
const NO_SCHEMAS = ['const', 'enum', 'default', 'examples', '$defs', 'definitions'];
/** What makes a shape hard to tell with a property gone: such a schema is replaced by one that only says its type. */
const HARD = [
  ...SAME_ONE,
  ...SAME_LISTS,
  'not',
  '$ref',
  '$dynamicRef',
  'dependentSchemas',
  'propertyNames',
  'const',
  'enum',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'patternProperties',
];
/** What need not hold any more once something was taken out, or would still tell of it. */
const GONE = ['minProperties', 'minItems', 'prefixItems', 'dependentRequired', 'default', 'examples', '$defs', 'definitions'];

/** Members of one object whose schemas are found once. */
const MOST_REMEMBERED = 256;

/** All that the schemas say of one place in an output. */
interface Place {
  all: readonly Schema[];
  isForbidden: boolean;
  isTouched: boolean;
  /** How many items at the front have schemas of their own. */
  firstItems: number;
  /** By name of member, or place of item. */
  inner: Map<string | number, Place>;
}

/** The data classes in one tool's output schema (`x-data-class`), against what one contract lets a session know (T10). */
export class OutputClasses {
  readonly #root: Schema;
  readonly #mayKnow: MayKnow;
  readonly #forbidden = new Map<Schema, boolean>();
  readonly #touched = new Map<Schema, boolean>();
  readonly #rootPlace: Place;
  /** Whether the output as a whole is of a class that the session must not know. */
  readonly isForbidden: boolean;
  /** Whether any part of the output is. */
  readonly hasForbidden: boolean;

  constructor(root: Schema, mayKnow: MayKnow) {
    this.#root = root;
    this.#mayKnow = mayKnow;
    this.isForbidden = this.#forbids(root);
    this.hasForbidden = this.#isTouched(root);
    this.#rootPlace = this.#placeOf([root]);
  }

  /** The output schema without what is forbidden, so that what is sent still conforms. */
  schema(): JsonObject {
    if (!this.hasForbidden) return this.#root;
    // A reference may lead into a part that is gone.
    return /"\$(dynamicR|r)ef":/.test(JSON.stringify(this.#root)) ? typeAlone(this.#root) : this.#strip(this.#root);
  }

  /** An output without what is forbidden. */
  redact(output: JsonObject): JsonObject {
    return this.hasForbidden ? (this.#clean(output, this.#rootPlace) as JsonObject) : output;
  }

  /** By the schema's own word, or that of a schema that looks at the same value. */
  #forbids(schema: Schema): boolean {
    let forbidden = this.#forbidden.get(schema);
    if (forbidden === undefined) {
      forbidden = this.#sameValue([schema]).some(
        (each) => isUnreadable(each, this.#root) || !this.#mayKnowAll(each['x-data-class']) || this.#forbidsWithin(each),
      );
      this.#forbidden.set(schema, forbidden);
    }
    return forbidden;
  }

  /** What a class says in a place that cannot be told from the value as a whole (`not`, say, or `propertyNames`) counts for all of it. */
  #forbidsWithin(schema: Schema): boolean {
    const reached = new Set(unplaced(schema));
    for (const each of reached) {
      if (isSchema(each) && (isUnreadable(each, this.#root) || !this.#mayKnowAll(each['x-data-class']))) return true;
      const target = isSchema(each) && typeof each.$ref === 'string' ? follow(each.$ref, this.#root) : undefined;
      for (const inner of [target, ...Object.values(each)]) if (typeof inner === 'object' && inner !== null) reached.add(inner);
    }
    return false;
  }

  #mayKnowAll(declared: Json | undefined): boolean {
    if (declared === undefined) return true;
    const classes = Array.isArray(declared) ? declared : [declared];
    return classes.every((name) => typeof name === 'string' && this.#mayKnow(name));
  }

  /** Whether it forbids something, or a schema that can be reached from it does. */
  #isTouched(schema: Schema): boolean {
    let touched = this.#touched.get(schema);
    if (touched === undefined) {
      const reached = new Set([schema]);
      for (const each of reached) for (const next of [...this.#sameValue([each]), ...innerSchemas(each)]) reached.add(next);
      touched = [...reached].some((each) => this.#forbids(each));
      this.#touched.set(schema, touched);
    }
    return touched;
  }

  #clean(value: Json, place: Place): Json {
    if (!place.isTouched || value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      const left: Json[] = [];
      value.forEach((each, index) => {
        const inner = this.#item(place, index);
        if (!inner.isForbidden) left.push(this.#clean(each, inner));
      });
      return left;
    }
    const left: JsonObject = {};
    for (const name of Object.keys(value)) {
      const inner = this.#member(place, name);
      if (inner.isForbidden) continue;
      const cleaned = this.#clean(value[name] as Json, inner);
      // Set like any other, this one would not become a member.
      if (name === '__proto__') Object.defineProperty(left, name, { value: cleaned, enumerable: true });
      else left[name] = cleaned;
    }
    return left;
  }

  #placeOf(schemas: readonly Schema[]): Place {
    const all = this.#sameValue(schemas);
    return {
      all,
      isForbidden: schemas.some((each) => this.#forbids(each)),
      isTouched: schemas.some((each) => this.#isTouched(each)),
      firstItems: Math.max(0, ...all.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0))),
      inner: new Map(),
    };
  }

  #member(place: Place, name: string): Place {
    return this.#inner(place, name, (schema) => memberSchemas(schema, name));
  }

  #item(place: Place, index: number): Place {
    // Beyond the first ones all are alike.
    const at = Math.min(index, place.firstItems);
    return this.#inner(place, at, (schema) => itemSchemas(schema, at));
  }

  #inner(place: Place, key: string | number, schemasIn: (schema: Schema) => Schema[]): Place {
    const known = place.inner.get(key);
    if (known !== undefined) return known;
    const inner = this.#placeOf(place.all.flatMap(schemasIn));
    // A tool may make names up.
    if (place.inner.size < MOST_REMEMBERED) place.inner.set(key, inner);
    return inner;
  }

  #strip(schema: Schema): JsonObject {
    if (!this.#isTouched(schema)) return schema;
    if (HARD.some((keyword) => Object.hasOwn(schema, keyword))) return typeAlone(schema);
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !GONE.includes(keyword)));
    const isForbidden = (name: Json) => memberSchemas(schema, String(name)).some((inner) => this.#forbids(inner));
    if (Array.isArray(schema.required)) kept.required = schema.required.filter((name) => !isForbidden(name));
    if (isSchema(schema.properties)) {
      const left = Object.entries(schema.properties).filter(([name]) => !isForbidden(name));
      kept.properties = Object.fromEntries(left.map(([name, inner]) => [name, this.#stripInner(inner as Json)]));
    }
    for (const keyword of ['items', 'additionalProperties'] as const)
      if (schema[keyword] !== undefined) kept[keyword] = this.#stripInner(schema[keyword]);
    // Elements that are left move up.
    if (schema.prefixItems !== undefined) delete kept.items;
    return kept as JsonObject;
  }

  #stripInner(inner: Json): Json {
    if (!isSchema(inner)) return inner;
    return this.#forbids(inner) ? {} : this.#strip(inner);
  }

  /** These schemas and all that look at the same value with them. */
  #sameValue(schemas: readonly Schema[]): Schema[] {
    const found = new Set<Schema>();
    const add = (schema: Json | undefined) => {
      if (!isSchema(schema) || found.has(schema)) return;
      found.add(schema);
      if (typeof schema.$ref === 'string') add(follow(schema.$ref, this.#root));
      for (const keyword of SAME_ONE) add(schema[keyword]);
      for (const keyword of SAME_LISTS) if (Array.isArray(schema[keyword])) for (const each of schema[keyword] as Json[]) add(each);
      if (isSchema(schema.dependentSchemas)) for (const each of Object.values(schema.dependentSchemas)) add(each as Json);
    };
    for (const schema of schemas) add(schema);
    return [...found];
  }
}

const isSchema = (value: Json | undefined): value is Schema => isObject(value);

function typeAlone({ type }: Schema): JsonObject {
  return type === undefined ? {} : { type };
}

/** A reference that cannot be followed here may lead to anything. */
function isUnreadable({ $dynamicRef, $recursiveRef, $ref }: Schema, root: Schema): boolean {
  if ($dynamicRef !== undefined || $recursiveRef !== undefined) return true;
  return $ref !== undefined && (typeof $ref !== 'string' || hasInnerId(root) || follow($ref, root) === undefined);
}

const innerIds = new WeakMap<Schema, boolean>();

/** Whether references may start anywhere else than at the root. */
function hasInnerId(root: Schema): boolean {
  let known = innerIds.get(root);
  if (known === undefined) {
    const has = (value: Json | undefined): boolean =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(([name, each]) => (name === '$id' && typeof each === 'string') || has(each));
    known = Object.values(root).some(has);
    innerIds.set(root, known);
  }
  return known;
}

/** Where a reference within one schema leads: a JSON pointer. */
function follow(reference: string, root: Schema): Json | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let at: Json | undefined = root;
  for (const token of reference.slice(1).split('/').slice(1)) {
    const name = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined;
  }
  return at;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

type Part = JsonObject | Json[];

/** The parts of a schema of which it cannot be told here what they say of which value within. */
function unplaced(schema: Schema): Part[] {
  const isPlaced = (keyword: string, value: Json): boolean => {
    if (NO_SCHEMAS.includes(keyword)) return true;
    if (isOneOf([...SAME_ONE, ...INNER_ONE], keyword)) return !Array.isArray(value);
    if (isOneOf([...SAME_LISTS, 'prefixItems'], keyword)) return Array.isArray(value);
    return isOneOf([...INNER_NAMED, 'dependentSchemas'], keyword) && isSchema(value);
  };
  return Object.entries(schema).flatMap(([keyword, value]) =>
    typeof value === 'object' && value !== null && keyword !== 'x-data-class' && !isPlaced(keyword, value) ? [value as Part] : [],
  );
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** All that says something of values within. */
function innerSchemas(schema: Schema): Schema[] {
  const found: (Json | undefined)[] = INNER_ONE.map((keyword) => schema[keyword]);
  for (const keyword of INNER_NAMED) if (isSchema(schema[keyword])) found.push(...(Object.values(schema[keyword]) as Json[]));
  if (Array.isArray(schema.prefixItems)) found.push(...schema.prefixItems);
  return found.filter(isSchema);
}

function itemSchemas(schema: Schema, index: number): Schema[] {
  const { contains, items, prefixItems, unevaluatedItems } = schema;
  const own = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
  return [own, contains, unevaluatedItems].filter(isSchema);
}

function memberSchemas(schema: Schema, name: string): Schema[] {
  const { additionalProperties, patternProperties, properties, unevaluatedProperties } = schema;
  const own: (Json | undefined)[] = [];
  if (isSchema(properties) && Object.hasOwn(properties, name)) own.push(properties[name]);
  if (isSchema(patternProperties))
    for (const [pattern, inner] of Object.entries(patternProperties)) if (matches(pattern, name)) own.push(inner);
  if (own.length === 0) own.push(additionalProperties, unevaluatedProperties);
  return own.filter(isSchema);
}

/** A pattern that is none may mean anything. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}
