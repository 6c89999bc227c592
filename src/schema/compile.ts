import { isObject, type Json, type JsonObject, pointerToken } from '../base/json.ts';
import { APPLICATORS } from './applicators.ts';
import { ASSERTIONS } from './assertions.ts';
import { ADDRESS, NOWHERE, type Place } from './keyword.ts';
import { type Check, CLOSED, Run } from './run.ts';

/** Every way in which a value misses a schema, as phrases like `/target must be string, not number`; empty when it satisfies it. */
export type SchemaCheck = (value: unknown) => string[];

export interface SchemaOptions {
  /** Refuse the members that no schema declares, of every object that some schema speaks about as an object. */
  strict?: boolean;
}

/** One schema of the document. */
interface Node {
  pointer: string;
  check: Check;
  /** The schemas that it applies to the same value. */
  same: Node[];
}

export const KEYWORDS = Object.entries({ ...ASSERTIONS, ...APPLICATORS });
/** Where one of these refuses, the rest of its schema is not looked at. */
const GUARDS = ['type', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * Compiles a JSON Schema (2020-12) without `eval`, so that it works under a strict CSP. `format` is an annotation, as is every keyword
 * that the draft does not know; of the draft, `$dynamicRef` and schemas of other documents are not supported.
 * @throws TypeError for a schema that cannot work; the message begins with the JSON pointer of what is wrong
 */
export function compileSchema(schema: Json, { strict = false }: SchemaOptions = {}): SchemaCheck {
  const document = new Document(schema, strict);
  const { check } = document.root;
  return (value) => new Run(document.logs).whole(check, value, strict);
}

/** What is compiled so far of one schema and all that is in it. */
class Document {
  readonly root: Node;
  /** Whether a check has to keep account of the members that were spoken about. */
  logs: boolean;
  readonly #schema: Json;
  readonly #strict: boolean;
  readonly #nodes = new Map<string, Node>();
  /** The pointers of the schemas with an `$id` or an `$anchor`, by address. */
  readonly #pointers = new Map([[NOWHERE, '']]);
  readonly #links: (() => void)[] = [];

  constructor(schema: Json, strict: boolean) {
    this.#schema = schema;
    this.#strict = strict;
    this.logs = strict;
    this.root = this.#visit(schema, '', NOWHERE);
    // A reference may lead to what nothing else has compiled, and that to further references.
    for (const link of this.#links) link();
    const ended = new Set<Node>();
    for (const node of this.#nodes.values()) refuseCycles(node, [], ended);
  }

  #visit(schema: Json | undefined, pointer: string, base: string): Node {
    const known = this.#nodes.get(pointer);
    if (known) return known;
    const node: Node = { pointer, check: () => true, same: [] };
    this.#nodes.set(pointer, node);
    if (isObject(schema)) node.check = this.#checkOf(schema, node, base);
    else if (schema === false) {
      const what = /\/(additional|unevaluated)Properties$/.test(pointer) ? ' is not declared' : ' is not allowed';
      node.check = (value, run) => run.refuse(() => what, value);
    } else if (schema !== true) mustBe(pointer, 'a schema: an object, true or false', schema);
    return node;
  }

  #checkOf(schema: JsonObject, node: Node, outer: string): Check {
    let base = outer;
    const visit = (keyword: string, key?: string | number): Node => {
      const [part, pointer] = [schema[keyword], `${node.pointer}/${keyword}`];
      if (key === undefined) return this.#visit(part, pointer, base);
      return this.#visit((part as JsonObject)[key], `${pointer}/${pointerToken(String(key))}`, base);
    };
    const place: Place = {
      schema,
      part: (keyword, key) => visit(keyword, key).check,
      same(keyword, key) {
        const part = visit(keyword, key);
        node.same.push(part);
        return part.check;
      },
      name: (reference) => {
        const { href } = new URL(reference, base);
        this.#pointers.set(withoutEnd(href), node.pointer);
        if (!reference.startsWith('#')) base = href;
      },
      refer: (reference) => {
        const { href } = new URL(reference, base);
        let target: Node;
        this.#links.push(() => {
          target = this.#find(href) ?? mustBe(`${node.pointer}/$ref`, ADDRESS, reference);
          node.same.push(target);
        });
        return (value, run) => target.check(value, run, 0);
      },
    };
    const checks: Check[] = [];
    let guards = 0;
    for (const [keyword, [allows, what, make]] of KEYWORDS) {
      if (!Object.hasOwn(schema, keyword)) continue;
      const part = schema[keyword] as never;
      if (!holds(allows, part)) mustBe(`${node.pointer}/${keyword}`, what, part);
      if (keyword.startsWith('unevaluated')) this.logs = true;
      checks.push(...[make?.(part, place) ?? []].flat());
      if (GUARDS.includes(keyword)) guards = checks.length;
    }
    const { type, properties, patternProperties } = schema;
    if (this.#strict && ([type].flat().includes('object') || properties || patternProperties))
      checks.push((value, run) => run.mark(value, CLOSED));
    return every(checks, guards);
  }

  /** The schema at an address, which may end with a pointer. */
  #find(href: string): Node | undefined {
    const path = /#(\/.*)/.exec(href)?.[1] ?? '';
    const address = withoutEnd(href.slice(0, href.length - path.length));
    const start = this.#pointers.get(address);
    if (start === undefined) return undefined;
    const pointer = start + decodeURIComponent(path);
    const schema = pointer.split('/').slice(1).reduce(memberOf, this.#schema);
    return schema === undefined ? undefined : this.#visit(schema, pointer, address);
  }
}

/** @param guards how many of them come first and end it all when they refuse */
function every(checks: Check[], guards: number): Check {
  return (value, run) => {
    const from = run.log.length;
    let ok = true;
    for (const [index, check] of checks.entries()) {
      if (check(value, run, from)) continue;
      if (run.quiet || index < guards) return false;
      ok = false;
    }
    return ok;
  };
}

/** An empty fragment means the whole document, as none does. */
function withoutEnd(href: string): string {
  return href.replace(/#$/, '');
}

function memberOf(whole: Json | undefined, token: string): Json | undefined {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, key) ? (whole as JsonObject)[key] : undefined;
}

function refuseCycles(node: Node, above: Node[], ended: Set<Node>): void {
  if (above.includes(node)) wrong(node.pointer, 'must not refer to itself for the same value: a check would never end');
  if (ended.has(node)) return;
  for (const next of node.same) refuseCycles(next, [...above, node], ended);
  ended.add(node);
}

/** What throws is no regular expression or address. */
function holds(allows: (part: never) => unknown, part: never): boolean {
  try {
    return Boolean(allows(part));
  } catch {
    return false;
  }
}

function mustBe(pointer: string, what: string, part: Json | undefined): never {
  return wrong(pointer, `must be ${what}, not ${JSON.stringify(part)}`);
}

function wrong(pointer: string, what: string): never {
  throw new TypeError(`${pointer || '/'} ${what}`);
}
