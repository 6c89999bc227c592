import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** What TypeScript calls the JSON types. */
const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const UNION = ['anyOf', 'oneOf'] as const;

/**
 * Writes a JSON Schema as a TypeScript type. What a type cannot say, such as a range or a pattern, is left out; what cannot be read is `unknown`.
 * @param indent the spaces that the line it stands in begins with
 */
export function typeOfSchema(schema: Json | undefined, indent = ''): string {
  return new SchemaType(schema).write(schema, indent, []);
}

/** A comment in the form that editors show; empty for an empty text. */
export function docComment(text: Json | undefined, indent: string): string {
  if (typeof text !== 'string' || text.trim() === '') return '';
  return `${indent}/** ${text.trim().replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */\n`;
}

/** The name of a member, quoted where it is no identifier. */
export const memberName = (name: string): string => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name));

class SchemaType {
  readonly #root: Json | undefined;

  constructor(root: Json | undefined) {
    this.#root = root;
  }

  /** @param within the references that are being written, so that a schema that contains itself ends */
  write(schema: Json | undefined, indent: string, within: readonly string[]): string {
    if (schema === false) return 'never';
    if (!isObject(schema)) return 'unknown';
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, indent, within);
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.map((each) => JSON.stringify(each)));
    for (const keyword of UNION) {
      const { [keyword]: branches, ...rest } = schema;
      if (Array.isArray(branches)) return union(branches.map((branch) => this.write(merged(rest, branch), indent, within)));
    }
    const { allOf, ...rest } = schema;
    if (Array.isArray(allOf)) return this.write(allOf.reduce<Json>(merged, rest), indent, within);
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedType(schema)];
    return union(types.map((type) => this.#plain(type, schema, indent, within)));
  }

  #plain(type: Json | undefined, schema: JsonObject, indent: string, within: readonly string[]): string {
    if (type === 'object') return this.#object(schema, indent, within);
    if (type === 'array') return this.#array(schema, indent, within);
    return (typeof type === 'string' ? NAMES[type] : undefined) ?? 'unknown';
  }

  #object({ properties, required, additionalProperties }: JsonObject, indent: string, within: readonly string[]): string {
    const members = isObject(properties) ? Object.entries(properties) : [];
    if (members.length === 0) return `Record<string, ${this.write(additionalProperties, indent, within)}>`;
    const inner = `${indent}  `;
    const lines = members.map(([name, schema]) => {
      const mark = Array.isArray(required) && required.includes(name) ? '' : '?';
      const comment = isObject(schema) ? docComment(schema.description, inner) : '';
      return `${comment}${inner}${memberName(name)}${mark}: ${this.write(schema, inner, within)};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }

  #array({ items, prefixItems, minItems }: JsonObject, indent: string, within: readonly string[]): string {
    const rest = this.write(items, indent, within);
    const others = rest.includes('|') ? `Array<${rest}>` : `${rest}[]`;
    if (!Array.isArray(prefixItems)) return others;
    const sure = typeof minItems === 'number' ? minItems : 0;
    const first = prefixItems.map((each, index) => {
      const type = this.write(each, indent, within);
      return index < sure ? type : `(${type})?`;
    });
    return `[${[...first, ...(items === false ? [] : [`...${others}`])].join(', ')}]`;
  }

  /** A pointer into the schema itself; anything else is not known here. */
  #reference(reference: string, indent: string, within: readonly string[]): string {
    if (!/^#(\/|$)/.test(reference) || within.includes(reference)) return 'unknown';
    const steps = reference.split('/').slice(1);
    const target = steps.reduce<Json | undefined>((at, step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      return isObject(at) || Array.isArray(at) ? (at as JsonObject)[name] : undefined;
    }, this.#root);
    return this.write(target, indent, [...within, reference]);
  }
}

/** One schema that holds what both say, as far as a type can say it. */
function merged(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return isObject(one) && other !== false ? one : other;
  const result: JsonObject = { ...one, ...other };
  if (isObject(one.properties) || isObject(other.properties))
    result.properties = { ...(one.properties as JsonObject | undefined), ...(other.properties as JsonObject | undefined) };
  if (Array.isArray(one.required) && Array.isArray(other.required)) result.required = [...one.required, ...other.required];
  return result;
}

function impliedType(schema: JsonObject): string | undefined {
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

/** `unknown` and `never` are the whole and nothing of a union. */
function union(types: readonly string[]): string {
  if (types.includes('unknown')) return 'unknown';
  const kinds = [...new Set(types)].filter((each) => each !== 'never');
  return kinds.length === 0 ? 'never' : kinds.join(' | ');
}
