import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleForBrowser } from '../architecture/browser-bundle.ts';
import { badFromAgent, badFromBridge } from '../fixtures/bad-messages.ts';
import { fromAgent, fromBridge } from '../fixtures/messages.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  code: number;
  output: string;
}

const run = (args: readonly string[]) =>
  new Promise<Ended>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr }),
    );
  });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aicc-validators-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The build script and its schemas, in a place of their own. */
async function copySources(): Promise<string> {
  const protocol = join(repository, 'src/protocol');
  for (const name of await readdir(protocol)) if (/\.(json|mjs)$/.test(name)) await cp(join(protocol, name), join(folder, name));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return join(folder, 'build-validators.mjs');
}

const readAll = async () => {
  const names = (await readdir(join(folder, 'generated'))).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'generated', name), 'utf8')] as const));
};

describe('building the validators', { timeout: 60_000 }, () => {
  test('four at once all succeed and leave whole files and nothing else', async () => {
    const script = await copySources();
    const runs = await Promise.all([1, 2, 3, 4].map(() => run([script])));
    expect(runs).toEqual(runs.map(() => ({ code: 0, output: '' })));
    const files = await readAll();
    expect(files.map(([name]) => name)).toEqual(
      ['agent-message', 'bridge-message', 'connect', 'openclasp', 'to-game', 'to-relay'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]),
    );
    for (const [name, text] of files) expect(text, name).toBe(await readFile(join(repository, 'src/protocol/generated', name), 'utf8'));
  });

  test('a second time changes nothing, and a spoilt file is made anew', async () => {
    const script = await copySources();
    await mkdir(join(folder, 'generated'));
    await writeFile(join(folder, 'generated/connect.js'), 'half a fi');
    await run([script]);
    const path = join(folder, 'generated/connect.js');
    expect(await readFile(path, 'utf8')).toContain('export const connect');
    const { mtimeNs, ino } = await stat(path, { bigint: true });
    expect(await run([script])).toEqual({ code: 0, output: '' });
    expect(await stat(path, { bigint: true })).toMatchObject({ mtimeNs, ino });
  });
});

describe('what a bundle carries', { timeout: 60_000 }, () => {
  test('a check of one direction brings no validator of the other, nor of the link', async () => {
    const agent = await bundleForBrowser(`export { checkAgentMessage } from 'phaser-aicc/protocol';`);
    expect(agent.code).toContain('manifest_request');
    expect(agent.code).not.toMatch(/tick_rate_hz|max_sessions|session_offer/);
    const bridge = await bundleForBrowser(`export { checkBridgeMessage } from 'phaser-aicc/protocol';`);
    expect(bridge.code).toContain('tick_rate_hz');
    expect(bridge.code).not.toMatch(/max_sessions|session_offer/);
    const none = await bundleForBrowser(`export { NIL_UUID, LIMITS } from 'phaser-aicc/protocol';`);
    expect(none.code).not.toMatch(/additionalProperties|RegExp/);
  });

  test('the checks work where no code may be made from strings, as under a strict Content-Security-Policy', async () => {
    const { code } = await bundleForBrowser(
      ['agent-message', 'bridge-message', 'connect', 'game-link']
        .map((name) => `export * from ${JSON.stringify(join(repository, `src/protocol/${name}.ts`))};`)
        .join('\n'),
    );
    await writeFile(join(folder, 'protocol.mjs'), code);
    const cases = {
      agent: [...Object.values(fromAgent), ...badFromAgent.map(({ message }) => message)].map((message) => JSON.stringify(message)),
      bridge: [...Object.values(fromBridge), ...badFromBridge.map(({ message }) => message)].map((message) => JSON.stringify(message)),
    };
    await writeFile(
      join(folder, 'run.mjs'),
      `import { checkAgentMessage, checkBridgeMessage, checkConnect, checkGameToRelay } from './protocol.mjs';
      let refused = false;
      try { new Function('return 1'); } catch { refused = true; }
      const cases = ${JSON.stringify(cases)};
      const good = (texts, check) => texts.filter((text) => check(text).ok).length;
      console.log(JSON.stringify([refused, good(cases.agent, checkAgentMessage), good(cases.bridge, checkBridgeMessage), checkConnect({ connect: {} }).ok, checkGameToRelay({}).ok]));`,
    );
    const { output } = await run(['--disallow-code-generation-from-strings', join(folder, 'run.mjs')]);
    expect(JSON.parse(output)).toEqual([true, Object.keys(fromAgent).length, Object.keys(fromBridge).length, true, false]);
  });
});
