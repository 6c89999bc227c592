import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Finding, PROMISES, runConformance } from '../../src/conformance/index.ts';
import { MISTAKES, type Mistake } from './breakers.ts';
import { broken } from './broken-bridge.ts';
import { startReferenceWorld } from './reference-world.ts';

/** For mistakes by which something never comes. On a slow machine something else may not come in time either: that is a find too. */
const SHORT_PATIENCE_MS = 400;
const LONG_PATIENCE_MS = 20_000;
const NEVER_COMES = /has not come/;

const isMeant = ([rule, words]: Mistake['finds'][number], promise: { rule: string; title: string }) =>
  promise.rule === rule && promise.title.includes(words);

/** Standing promises are held against what other cases let happen. */
const SHOWS = [
  ['D17', 'says whether'],
  ['F1', 'without a subscription'],
] as const;

const waitsForNothing = (finds: Mistake['finds']) => finds.some(([, , why]) => NEVER_COMES.test(why.source));

const isStanding = (meant: Mistake['finds'][number]) => PROMISES.some((promise) => promise.by === 'watching' && isMeant(meant, promise));

async function findings({ finds, make, on = 'memory', stopped = false, tickMode = 'hybrid', token }: Mistake): Promise<Finding[]> {
  const world = await startReferenceWorld(on, token === undefined ? { tickMode } : { tickMode, token });
  onTestFinished(() => world.close());
  return runConformance({
    target: broken(world.target, make),
    patienceMs: waitsForNothing(finds) ? SHORT_PATIENCE_MS : LONG_PATIENCE_MS,
    pass: stopped ? async () => undefined : world.pass,
    wants: (rule, title) =>
      finds.some((each) => isMeant(each, { rule, title })) ||
      (finds.some(isStanding) && SHOWS.some(([shown, words]) => shown === rule && title.includes(words))),
  });
}

describe('the suite finds a bridge that', () => {
  // The game link wants one, and Node 20 has none.
  beforeEach(() => void vi.stubGlobal('WebSocket', WebSocket));
  afterEach(() => void vi.unstubAllGlobals());

  test.each(MISTAKES.map((mistake) => [mistake.name, mistake] as const))('%s', async (_name, mistake) => {
    const all = await findings(mistake);
    for (const meant of mistake.finds) {
      const [, , why] = meant;
      const complaint = waitsForNothing(mistake.finds) ? new RegExp(`${why.source}|${NEVER_COMES.source}`) : why;
      const found = all.filter((each) => isMeant(meant, each));
      expect(found, meant.join(' ')).toEqual([expect.objectContaining({ verdict: 'fail', why: expect.stringMatching(complaint) })]);
    }
  });
});

test('there is a mistake for everything that the suite looks at', () => {
  const unproved = PROMISES.filter(
    (promise) => promise.by !== 'nothing' && !MISTAKES.some(({ finds }) => finds.some((meant) => isMeant(meant, promise))),
  );
  expect(unproved).toEqual([]);
});
