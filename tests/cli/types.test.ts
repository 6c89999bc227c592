import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { typeOfSchema } from '../../src/relay/cli/schema-type.ts';
import { joinWorld, liveRelay } from './live-world.ts';
import { cli } from './run-cli.ts';

/** What TypeScript says of agents that use the interface. */
function complaints(declaration: string, use: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'aicc-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ann.d.ts'), declaration);
  const file = join(folder, 'agent.ts');
  writeFileSync(file, use);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
  });
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  return own
    .flatMap((each) => [...program.getSyntacticDiagnostics(each), ...program.getSemanticDiagnostics(each)])
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('types prints an interface of the tools, which connect takes for typed calls, and leaves the character free', async () => {
  const relay = await liveRelay();
  const { bridge } = await joinWorld(relay);
  const { code, out, err } = await cli(['types', '--character', 'ann', '--url', relay.url]);
  expect([code, err]).toEqual([0, '']);
  expect(bridge.sessions()).toEqual([]);
  expect(out).toContain('made by `aicc types`');
  expect(out).toContain(`export interface Ann {
  /** Where you are */
  body: {
    input: Record<string, unknown>;
    output: Record<string, unknown>;
  };
  /** Says it aloud */
  say: {
    input: {
      text: string;
      loud?: boolean;
    };
    output: Record<string, unknown>;
  };
`);
  const agent = `
import type { Session } from ${JSON.stringify(join(process.cwd(), 'src/agent/index.ts'))};
import type { Ann } from './ann';
export async function play(ann: Session<Ann>) {
  await ann.call('say', { text: 'Hi', loud: true });
  await ann.call('body');
  await ann.call('body', {}, { timeoutMs: 100 });
  // @ts-expect-error a text is no number
  await ann.call('say', { text: 1 });
  // @ts-expect-error a typo
  await ann.call('say', { txt: 'Hi' });
  // @ts-expect-error say wants a text
  await ann.call('say');
  // @ts-expect-error there is no such tool
  await ann.call('shout', { text: 'Hi' });
}
`;
  expect(complaints(out, agent)).toEqual([]);
});

test('types names the interface by the character, as --name says, or Tools', async () => {
  const relay = await liveRelay();
  const { bridge } = await joinWorld(relay);
  bridge.addCharacter('2nd-old_tam', { description: 'Sits', tools: [] });
  const named = async (...args: string[]) =>
    (await cli(['types', '--url', relay.url, ...args])).out.match(/^export interface (\S+) \{$/m)?.[1];
  expect(await named()).toBe('Tools');
  expect(await named('--character', 'bob', '--name', 'Robert')).toBe('Robert');
  expect(await named('--character', '2nd-old_tam')).toBe('_2ndOldTam');
  expect(await cli(['types', '--name', 'a b', '--url', relay.url])).toMatchObject({ code: 2, err: expect.stringContaining('"a b"') });
});

test.each<[string, Parameters<typeof typeOfSchema>[0], string]>([
  ['nothing', undefined, 'unknown'],
  ['the false schema', false, 'never'],
  ['no type at all', {}, 'unknown'],
  ['numbers of both kinds', { type: ['integer', 'number'] }, 'number'],
  ['a type that may be absent', { type: ['string', 'null'] }, 'string | null'],
  ['an enum without type', { enum: ['a', 1, null, { b: [2] }] }, '"a" | 1 | null | {"b":[2]}'],
  ['a const', { const: -1 }, '-1'],
  ['an array of a union', { type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
  ['an array of anything', { items: true }, 'unknown[]'],
  ['an array of objects with a union in them', { items: { properties: { a: { enum: [1, 2] } } } }, 'Array<{\n  a?: 1 | 2;\n}>'],
  [
    'an array of one of two objects',
    { items: { anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] } },
    'Array<{\n  a?: 1;\n} | {\n  b?: 2;\n}>',
  ],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1, items: false }, '[number, (string)?]'],
  ['a tuple that goes on', { prefixItems: [{ type: 'number' }], minItems: 1 }, '[number, ...unknown[]]'],
  ['a dictionary', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  ['an object without members', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['a member whose name is no identifier', { properties: { 'a-b': { type: 'null' } } }, '{\n  "a-b"?: null;\n}'],
  ['a description that ends a comment', { properties: { a: { description: 'x */ y\nz' } } }, '{\n  /** x *\\/ y z */\n  a?: unknown;\n}'],
  [
    'all of several',
    {
      allOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { required: ['b'], properties: { b: { const: 2 } } },
      ],
    },
    '{\n  a: 1;\n  b: 2;\n}',
  ],
  [
    'one of several demands',
    { type: 'object', properties: { x: { type: 'number' }, to: { type: 'string' } }, anyOf: [{ required: ['x'] }, { required: ['to'] }] },
    '{\n  x: number;\n  to?: string;\n} | {\n  x?: number;\n  to: string;\n}',
  ],
  ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'string'],
  ['a schema that contains itself', { properties: { next: { $ref: '#' } } }, '{\n  next?: {\n    next?: unknown;\n  };\n}'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, 'unknown'],
])('the type of %s', (_what, schema, type) => {
  expect(typeOfSchema(schema)).toBe(type);
});
