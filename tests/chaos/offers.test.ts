import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { Interactions } from '../../src/relay/openclasp/interactions.ts';
import { RetainedRecords } from '../../src/relay/openclasp/retained-records.ts';
import type { Kept } from './offers-process.ts';

const LIVES = 5;

test('a relay that is killed in the middle of its writing loses and garbles nothing of what it said it keeps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aicc-killed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [program, state] = [join(folder, 'program'), join(folder, 'state')];
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: fileURLToPath(new URL('./offers-process.ts', import.meta.url)), outDir: program, minify: false },
  });
  const kept = new Map<string, number>();
  for (let life = 1; life <= LIVES; life++) {
    const child = fork(join(program, 'offers-process.js'), [state], { stdio: 'inherit' });
    const told = kept.size;
    child.on('message', ({ interactionId, sequence }: Kept) => {
      kept.set(interactionId, sequence);
      // Whatever it is doing just then.
      if (kept.size >= told + 10 * life) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');

    const damaged: string[] = [];
    const interactions = await Interactions.load(await RetainedRecords.open(state, (sentence) => damaged.push(sentence)), () => 0);
    expect(damaged).toEqual([]);
    for (const [interactionId, sequence] of kept) {
      const found = interactions.find(interactionId);
      expect(found?.digest).toHaveLength(200_000);
      expect(found?.sequence).toBeGreaterThanOrEqual(sequence);
    }
  }
});
