import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BEHAVIOUR_TREES, bundleForBrowser, placesOf, REMOTE, SDK } from '../architecture/browser-bundle.ts';
import { declaredNames, internalNames } from '../architecture/declared-names.ts';
import { type Consumer, installPackage } from './installed-package.ts';

const BROWSER_ENTRIES = [
  'phaser-aicc',
  'phaser-aicc/local',
  'phaser-aicc/kit',
  'phaser-aicc/agent',
  'phaser-aicc/brain',
  'phaser-aicc/bridge',
  'phaser-aicc/protocol',
];

/** What every public entry is known for. */
const SURFACE: Record<string, string[]> = {
  'phaser-aicc': ['aicc', 'aiccOf', 'defineTool', 'ToolError'],
  'phaser-aicc/local': ['aicc', 'aiccOf', 'defineTool', 'ToolError'],
  'phaser-aicc/scene': [],
  'phaser-aicc/kit': ['vision', 'body', 'moveTo', 'stop', 'face', 'say', 'interact', 'controls'],
  'phaser-aicc/agent': ['connect'],
  'phaser-aicc/aicontrol': ['connectAiControl', 'AiControlError'],
  'phaser-aicc/brain': ['behaviourTree', 'defineBrain'],
  'phaser-aicc/bridge': ['createBridge', 'defineTool'],
  'phaser-aicc/contract': ['policyFor'],
  'phaser-aicc/relay': ['startRelay'],
  'phaser-aicc/protocol': ['LIMITS', 'ERROR_CODES', 'validateAicc', 'NdjsonFramer'],
};

/** A game, an agent and a server in somebody else's strict TypeScript. */
const CONSUMER = `
import * as Phaser from 'phaser';
import { aicc, aiccOf, defineTool, type Brain, type Character } from 'phaser-aicc';
import { aicc as localAicc } from 'phaser-aicc/local';
import 'phaser-aicc/scene';
import { vision, moveTo, say } from 'phaser-aicc/kit';
import { connect, type Session } from 'phaser-aicc/agent';
import { behaviourTree, defineBrain } from 'phaser-aicc/brain';
import { createBridge } from 'phaser-aicc/bridge';
import { startRelay, type Relay } from 'phaser-aicc/relay';
import { LIMITS, type AiccMessage } from 'phaser-aicc/protocol';

const playCard = defineTool({
  id: 'play_card',
  class: 'actuator',
  description: 'Play a card from your hand',
  input: { type: 'object', properties: { card: { type: 'string' }, target: { type: 'string' } }, required: ['card'] },
  run: async ({ card, target }, context) => {
    const text: string = card;
    const maybe: string | undefined = target;
    // @ts-expect-error a card is no number
    const wrong: number = card;
    await context.sleep(300);
    return { played: text, on: maybe ?? '', wrong };
  },
});

class Level extends Phaser.Scene {
  create(): void {
    const sprite = this.physics.add.sprite(40, 200, 'hero');
    const hero: Character = aiccOf(this).character('hero', sprite, { description: 'Runs.', tools: [vision({ radius: 300 }), moveTo(), say(), playCard] });
    // @ts-expect-error there is no such driver
    if (hero.driver === 'ghost') hero.remove();
    this.aicc.trigger('begun');
  }
}

export const config: Phaser.Types.Core.GameConfig = {
  scene: [Level],
  plugins: { global: [aicc({ world: 'w' }), localAicc({ world: 'x' })] },
};
export async function drive(): Promise<Session> {
  const session = await connect({ url: 'ws://127.0.0.1:4750/agent', character: 'hero', model: 'edge_small' });
  await session.call('say', { text: 'Hello!' }, { timeoutMs: LIMITS.toolMs });
  return session;
}
export const serve = (): Promise<Relay> => startRelay({ port: 0, tcpPort: 0 });
export const kindOf = (message: AiccMessage, brain: Brain): string => message.type + brain.kind + typeof behaviourTree + typeof createBridge;
export const greeter: Brain = defineBrain({
  kind: 'greeter',
  start: (session) => session.on('audio', ({ from }) => void session.call('say', { text: from })),
});
`;

const BUNDLER = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

const ES2020 = ['lib.es2020.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];

let consumer: Consumer;
beforeAll(async () => {
  consumer = await installPackage();
}, 300_000);
afterAll(() => consumer?.remove());

describe('the published package', () => {
  test('holds the build, the docs, the licence, the notes and nothing else', () => {
    expect(consumer.packed).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'CHANGELOG.md',
        'LICENSE',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/cli.js',
        'dist/beat-worker.js',
        'src/relay/bin.mjs',
      ]),
    );
    expect(
      consumer.packed.filter(
        (path) =>
          !/^(dist\/[\w-]+\.(js|js\.map|d\.ts)|docs\/[\w/-]+\.(md|png)|src\/relay\/bin\.mjs|package\.json|[A-Z]+(\.md)?)$/.test(path),
      ),
    ).toEqual([]);
  });

  test('holds every file and picture that its README and docs link to, and says where it lives', () => {
    const pages = consumer.packed.filter((path) => path.endsWith('.md'));
    const links = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, to = '']) => ({ page, to })));
    const local = links.filter(({ to }) => !/^[a-z]+:/.test(to)).map(({ page, to }) => posix.join(posix.dirname(page), to));
    expect(local).toContain('docs/lantern-night.png');
    expect(
      local.filter((link) => !consumer.packed.some((path) => path === link || path.startsWith(`${link.replace(/\/$/, '')}/`))),
    ).toEqual([]);
    const { repository, homepage, bugs } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([repository.url, homepage, bugs.url]).toEqual(
      Array(3).fill(expect.stringMatching(/^(git\+)?https:\/\/github\.com\/phaser-aicc\//)),
    );
  });

  test('names only files that are in it, and every entry is known here', () => {
    const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    const files = JSON.stringify([exports, bin]).match(/(?<="\.\/)[^"]+\.(m?js|d\.ts)(?=")/g) ?? [];
    expect(files.filter((file) => !consumer.packed.includes(file))).toEqual([]);
    const entries = Object.keys(exports).map((key) => key.replace('.', 'phaser-aicc'));
    expect(entries.filter((entry) => !entry.endsWith('.json')).sort()).toEqual(Object.keys(SURFACE).sort());
  });

  test.each(Object.keys(SURFACE))('Node imports %s', async (entry) => {
    const needsPhaser = ['phaser-aicc', 'phaser-aicc/local', 'phaser-aicc/kit'].includes(entry);
    const script = `console.log(JSON.stringify(Object.keys(await import('${entry}'))))`;
    const names = JSON.parse(
      await consumer.node(...(needsPhaser ? ['--import', './no-browser.mjs'] : []), '--input-type=module', '-e', script),
    );
    expect(names).toEqual(expect.arrayContaining(SURFACE[entry] as string[]));
    expect(names).not.toContain('default');
  });

  test('phaser-aicc/agent is another file for browsers than for Node', async () => {
    const script = `console.log(import.meta.resolve('phaser-aicc/agent'))`;
    expect(await consumer.node('--input-type=module', '-e', script)).toMatch(/agent-node\.js\s*$/);
    expect(await consumer.node('--conditions=browser', '--input-type=module', '-e', script)).toMatch(/agent\.js\s*$/);
  });

  test.each<[string, ts.CompilerOptions, string[]]>([
    ['a bundler', BUNDLER, []],
    ['a bundler that asks for browsers', { ...BUNDLER, customConditions: ['browser'] }, []],
    [
      'Node',
      { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ["agents.ts:3 Unused '@ts-expect-error' directive."],
    ],
  ])("the types of phaser-aicc/agent are those of the file that runs: a page's for %s", (_who, options, complaints) => {
    const agents = `import { connect } from 'phaser-aicc/agent';
connect({ url: 'ws://127.0.0.1:4750/agent' });
// @ts-expect-error a page has no TCP
connect({ port: 4751 });
`;
    consumer.write('agents.ts', agents);
    expect(consumer.typeCheck(['agents.ts'], options)).toEqual(complaints);
  });

  test.each([
    ['a bundler', BUNDLER],
    ["a bundler and the language of Phaser's official template", { ...BUNDLER, target: ts.ScriptTarget.ES2020, lib: ES2020 }],
    ['Node', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
  ])('its types resolve and hold in a strict project for %s, without types of Node', (_who, options) => {
    consumer.write('game.ts', CONSUMER);
    expect(consumer.typeCheck(['game.ts'], options)).toEqual([]);
  });

  test('is installed without a word, and has no script that an installation runs', () => {
    expect(consumer.told.split('\n').filter((line) => line.includes('phaser-aicc'))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts)).toEqual([]);
  });

  test('its command runs, under both its names', async () => {
    for (const name of ['aicc', 'phaser-aicc'])
      expect(await consumer.node(`node_modules/.bin/${name}`, 'relay', '--help')).toMatch(new RegExp(`^${name} relay \\[options\\]\n`));
    expect(await consumer.npx('phaser-aicc', 'relay', '--help')).toMatch(/^npx phaser-aicc relay \[options\]\n/);
    expect(readFileSync(join(consumer.dir, 'node_modules/phaser-aicc/src/relay/bin.mjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test.each(BROWSER_ENTRIES)('a browser bundle of %s, as installed, holds no Node built-in', async (entry) => {
    const { code, builtins } = await bundleForBrowser(`export * from '${entry}';`, consumer.dir);
    expect(builtins).toEqual([]);
    expect(code.length).toBeGreaterThan(500);
  });

  test('W17: a game built on the installed phaser-aicc/local has no remote path in its bundle', async () => {
    const { code } = await bundleForBrowser(
      `import { aicc } from 'phaser-aicc/local';\nglobalThis.plugin = aicc({ world: 'w' });`,
      consumer.dir,
    );
    expect(placesOf(REMOTE, code)).toEqual([]);
  });

  test('a game with a brain of its own, built on the installed package, ships no behaviour trees', async () => {
    const { code } = await bundleForBrowser(`export { defineBrain } from 'phaser-aicc/brain';`, consumer.dir);
    expect(placesOf(SDK, code)).not.toEqual([]);
    expect(placesOf(BEHAVIOUR_TREES, code)).toEqual([]);
  });

  test('none of its files names a path of the machine that built it', () => {
    const dist = join(consumer.dir, 'node_modules/phaser-aicc/dist');
    const telling = readdirSync(dist).filter((name) => readFileSync(join(dist, name), 'utf8').includes(process.cwd()));
    expect(telling).toEqual([]);
  });
});

describe('the published declarations', () => {
  test.each(['bridge', 'index'])('%s.d.ts names no internal type of the bridge', (entry) => {
    // The agent SDK has a public Session of its own.
    const internal = [...internalNames('src/bridge')].filter((name) => name !== 'Session' || entry === 'bridge');
    expect(internal).toContain('Outbox');
    const names = declaredNames(join(consumer.dir, 'node_modules/phaser-aicc/dist'), `${entry}.d.ts`);
    expect(names).toContain('CharacterSlot');
    expect(internal.filter((name) => names.has(name))).toEqual([]);
  });
});

describe('the README and the page on drivers', () => {
  test('every block of TypeScript in them compiles against the installed package', () => {
    const pages = ['README.md', 'docs/drivers.md'].map((page) => readFileSync(page, 'utf8')).join('\n');
    const blocks = [...pages.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ''], index) => ({
      name: `readme-${index + 1}.ts`,
      code,
    }));
    expect(blocks.length).toBeGreaterThan(0);
    for (const { name, code } of blocks) consumer.write(name, `${code}\nexport {};\n`);
    const names = blocks.map(({ name }) => name);
    expect(consumer.typeCheck(names, BUNDLER)).toEqual([]);
  });
});
