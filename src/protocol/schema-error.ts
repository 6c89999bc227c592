import { pointerToken } from '../base/json.ts';

/** The parts of a JSON Schema that the wire's schemas make use of. */
interface Subschema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Subschema>;
}

/** What a generated validator says of the first thing that is wrong. */
export interface SchemaError {
  /** JSON pointer to the value that failed. */
  instancePath: string;
  /** The schema keyword that failed. */
  keyword: string;
  /** The schema object that the failing keyword stands in. */
  parentSchema: Subschema;
  /** The value that failed. */
  data: unknown;
  /** The member that is missing or unknown. */
  name?: string;
}

/** A validator made by build-validators.mjs. After `false`, `errors` holds one error until the next call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: SchemaError[] | null;
}

/** Longest value that an error repeats; beyond it an agent would read its own message back. */
const SHOWN = 60;

/** One sentence that says where a value is wrong, what belongs there, and what was found: `/input must be an object, got the string "x"`. */
export function describeSchemaError(errors: readonly SchemaError[] | null | undefined): string {
  const error = errors?.[0];
  if (error === undefined) return 'the message does not satisfy the schema';
  const at = error.instancePath;
  const { parentSchema } = error;
  if (error.keyword === 'required') {
    const name = String(error.name);
    return `${at}/${pointerToken(name)} is missing: it must be ${expected(parentSchema.properties?.[name] ?? {})}`;
  }
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(parentSchema.properties ?? {}).join(', ');
    return `${at}/${pointerToken(cut(String(error.name)))} is not known here: ${at || 'the message'} may only have ${known}`;
  }
  return `${at || 'the message'} must be ${expected(parentSchema)}, got ${describeValue(error.data)}`;
}

/** What a schema asks for, in words. */
function expected(schema: Subschema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.format === 'uuid') return 'a UUID like 123e4567-e89b-42d3-a456-426614174000';
  if (schema.pattern !== undefined) return `a string that matches ${schema.pattern}`;
  if (schema.minLength !== undefined) return 'a string that is not empty';
  if (schema.exclusiveMinimum !== undefined) return `a ${schema.type} greater than ${schema.exclusiveMinimum}`;
  if (schema.maximum !== undefined) return `an ${schema.type} from ${schema.minimum} to ${schema.maximum}`;
  if (schema.minimum !== undefined) return `an ${schema.type} of at least ${schema.minimum}`;
  return article(schema.type ?? 'value');
}

/** What was found, in words: a number or a short string as it stands, anything larger by its type. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  if (value === '') return 'an empty string';
  return `the string ${JSON.stringify(cut(value))}`;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function cut(text: string): string {
  // Half of a surrogate pair at the cut would not be text.
  return text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
