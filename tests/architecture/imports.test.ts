import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBareCloseCodes } from './bare-close-codes.ts';
import { faultsOf, WALKED } from './folder-rules.ts';
import { readOutsideTime } from './outside-time.ts';
import { readSoftPrivates } from './soft-privates.ts';
import { readWrittenDefaults } from './written-defaults.ts';

/** The source files below a folder, generated ones aside; the tests run from the project's root. */
function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|mjs|js)$/.test(path) && !path.includes('/generated/'))
    .sort();
}

describe('who may import whom', () => {
  test('no file of the project breaks the folder table, lists exports with a star or exports a default', () => {
    const files = WALKED.flatMap(sourcesOf);
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => faultsOf(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  test.each([
    ['src/protocol/x.ts', `import { a } from '../bridge/index.ts';`],
    ['src/bridge/x.ts', `import * as Phaser from 'phaser';`],
    ['src/bridge/x.ts', `import type { Scene } from 'phaser';`],
    ['src/bridge/x.ts', `export { readFile } from 'node:fs';`],
    ['src/bridge/x.ts', `import type { A } from '../transport/index.ts';`],
    ['src/bridge/x.ts', `const ws = await import('ws');`],
    ['src/transport/door.ts', `import { type AgentPort, open } from '../bridge/agent-port.ts';`],
    ['src/transport/memory.ts', `import { Socket } from 'net';`],
    ['src/transport/door.ts', `import type { Bridge } from '../bridge/index.ts';`],
    ['src/agent/connect.ts', `import { connect } from 'node:net';`],
    ['src/agent/connect.ts', `type S = import('../bridge/session.ts').Session;`],
    ['src/brain/x.ts', `import { a } from '../bridge/index.ts';`],
    ['src/conformance/x.ts', `import { LIMITS } from '../protocol/index.ts';`],
    ['src/headless/x.ts', `import { a } from '../protocol/index.ts';`],
    ['plugin/x.ts', `import { a } from '../src/relay/index.ts';`],
    ['plugin/kit/x.ts', `import { a } from '../../src/brain/index.ts';`],
    ['plugin/x.ts', `import { attach } from '../src/agent/index.ts';`],
    ['demo-game/x.ts', `import { aicc } from '../plugin/index.ts';`],
    ['demo-game/start/x.mjs', `import ws from 'ws';`],
    ['src/new-folder/x.ts', `export const a = 1;`],
    ['src/bridge/x.ts', `export * from './y.ts';`],
    ['src/bridge/x.ts', `export * as y from './y.ts';`],
    ['src/bridge/x.ts', `export default 1;`],
    ['src/bridge/x.ts', `export default function x() {}`],
    ['src/bridge/x.ts', `export { x as default } from './y.ts';`],
  ])('a fault in %s is found: %s', (path, text) => {
    expect(faultsOf(path, text)).toHaveLength(1);
  });

  test.each([
    ['src/transport/door.ts', `import type { AgentPort } from '../bridge/agent-port.ts';`],
    ['src/bridge/x.ts', `import { type Channel } from '../transport/channel.ts';`],
    ['src/bridge/x.ts', `import { a } from '../protocol/index.ts';\nexport { b } from './y.ts';`],
    ['src/relay/x.ts', `import { readFile } from 'node:fs/promises';\nimport { lookup } from 'mrmime';`],
    [
      'plugin/kit/x.ts',
      `import * as Phaser from 'phaser';\nimport { a } from '../../src/bridge/index.ts';\nimport { b } from '../body.ts';`,
    ],
    ['plugin/x.ts', `import type { Brain } from '../src/agent/index.ts';`],
    ['demo-game/x.ts', `import { vision } from 'phaser-aicc/kit';\nimport map from '../assets/public/map.json';`],
  ])('what the table allows in %s passes: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([]);
  });
});

describe('what is private is so at run time too', () => {
  test('no class has a private member without #, nor fields in its parameters', () => {
    expect(WALKED.flatMap(sourcesOf).flatMap((path) => readSoftPrivates(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  test.each([
    'class A { private x = 1; }',
    'class A { private static x() {} }',
    'class A { private get x() { return 1; } }',
    'class A { constructor(private x: number) {} }',
    'class A { constructor(readonly x: number) {} }',
  ])('%s is found', (text) => {
    expect(readSoftPrivates('src/x.ts', text)).toHaveLength(1);
  });

  test('a private constructor and a # are none of it', () => {
    expect(readSoftPrivates('src/x.ts', 'class A { #x = 1; private constructor(x: number) {} }')).toEqual([]);
  });
});

describe('the bridge has no time and no chance of its own', () => {
  test('E2: nothing in src/bridge reads a clock, sets a timer or draws a random number', () => {
    expect(sourcesOf('src/bridge').flatMap((path) => readOutsideTime(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  test.each([
    'Date.now()',
    'new Date()',
    'performance.now()',
    'setTimeout(f, 1)',
    'globalThis.setInterval(f, 1)',
    'Math.random()',
    'crypto.randomUUID()',
  ])('E2: %s is found', (text) => {
    expect(readOutsideTime('src/bridge/x.ts', `const x = () => ${text};`)).toHaveLength(1);
  });

  test.each(['clock.setTimeout', '{ Date: 1 }', 'Math.max(1, 2)', 'record.performance'])('%s is none of it', (text) => {
    expect(readOutsideTime('src/bridge/x.ts', `const x = ${text};`)).toEqual([]);
  });
});

describe('close codes have names', () => {
  test('no file of src and plugin but their table, what a close frame may hold, and the suite that knows nothing of ours writes one as a number', () => {
    const files = ['src', 'plugin']
      .flatMap(sourcesOf)
      .filter((path) => !path.startsWith('src/conformance/') && !/\/(close-codes|close-frame)\.ts$/.test(path));
    expect(files.flatMap((path) => readBareCloseCodes(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  test.each([
    "channel.close(1000, 'over')",
    'close(1012)',
    'code === 1000 ? 1 : 2',
    'x = { code: 1000 }',
    '(code = 1000) => code',
    'const FINAL = [4001]',
  ])('%s is found', (text) => {
    expect(readBareCloseCodes('src/x.ts', text)).toHaveLength(1);
  });

  test.each(['seconds * 1000', 'const MS = 1000', 'wait(4_000)', '// 1008', "'ws://127.0.0.1:4750'", '1024'])('%s is none', (text) => {
    expect(readBareCloseCodes('src/x.ts', text)).toEqual([]);
  });
});

describe('a relay is where one file says', () => {
  test('no other file of src, but the suite that knows nothing of ours, writes its usual host or ports', () => {
    const files = sourcesOf('src').filter((path) => !path.startsWith('src/conformance/') && path !== 'src/protocol/default-addresses.ts');
    expect(files.flatMap((path) => readWrittenDefaults(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  test.each(["listen('127.0.0.1')", 'const port = 4750', 'const port = 43_011', '`ws://127.0.0.1:4750/agent`', 'join(host, `:4751`)'])(
    '%s is found',
    (text) => {
      expect(readWrittenDefaults('src/x.ts', text)).toHaveLength(1);
    },
  );

  test.each(['// default 4750', 'const ms = 14750', '/^127(\\.\\d{1,3}){3}$/'])('%s is none', (text) => {
    expect(readWrittenDefaults('src/x.ts', text)).toEqual([]);
  });
});
