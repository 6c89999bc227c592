import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Interaction, Interactions } from '../../src/relay/openclasp/interactions.ts';
import { RetainedRecords } from '../../src/relay/openclasp/retained-records.ts';
import { folder } from './site.ts';

const NOW = 1_000_000;
let at: string;
let told: string[];
let now: number;

const load = async (): Promise<Interactions> =>
  Interactions.load(await RetainedRecords.open(at, (sentence) => told.push(sentence)), () => now);

const interaction = (more: Partial<Interaction> = {}): Interaction => ({
  interactionId: randomUUID(),
  offerId: randomUUID(),
  digest: 'd',
  from: 'platform',
  agentId: 'game-mira',
  counterparty: 'driver-one',
  contractHash: 'h',
  endsAt: NOW + 1_000,
  forgetAt: NOW + 2_000,
  ...more,
});

/** Which file is which: a file that is replaced has another number. */
async function files(): Promise<Map<string, number>> {
  const names = await readdir(at);
  return new Map(await Promise.all(names.map(async (name) => [name, (await stat(join(at, name))).ino] as const)));
}

beforeEach(async () => {
  at = join(await folder(), 'offers');
  told = [];
  now = NOW;
});

test('one change writes one record, however many there are', async () => {
  const interactions = await load();
  const all = Array.from({ length: 50 }, () => interaction());
  await Promise.all(all.map((each) => interactions.keep(each)));
  const before = await files();
  expect(before.size).toBe(50);
  await interactions.end(all[7] as Interaction, 'completed: dawn');
  const after = await files();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  expect([...after].filter(([name, ino]) => before.get(name) !== ino)).toHaveLength(1);
  const again = await load();
  expect(again.all()).toHaveLength(50);
  for (const each of all) expect(again.find(each.interactionId)).toEqual(each);
});

test('of many changes of one record the newest is written, and all are told', async () => {
  const interactions = await load();
  const one = interaction();
  const changes = Array.from({ length: 20 }, (_, sequence) => {
    one.sequence = sequence;
    return interactions.keep(one);
  });
  await Promise.all(changes);
  expect((await load()).find(one.interactionId)).toEqual({ ...one, sequence: 19 });
});

test('an offer and an activation are found by their ids, before and after a restart, until they are forgotten', async () => {
  const first = await load();
  const kept = interaction({ activationId: randomUUID() });
  const other = interaction({ forgetAt: NOW + 5_000 });
  await Promise.all([first.keep(kept), first.keep(other)]);
  for (const interactions of [first, await load()]) {
    expect(interactions.byOffer(kept.offerId)).toEqual(kept);
    expect(interactions.byActivation(kept.activationId as string)).toEqual(kept);
    expect(interactions.byOffer(other.offerId)).toEqual(other);
    expect(interactions.byOffer(randomUUID())).toBeUndefined();
  }
  now = kept.forgetAt - 1;
  expect(first.size).toBe(2);
  now = kept.forgetAt;
  expect(first.size).toBe(1);
  expect(first.byOffer(kept.offerId)).toBeUndefined();
  expect(first.byActivation(kept.activationId as string)).toBeUndefined();
  expect(first.byOffer(other.offerId)).toEqual(other);
  await first.flushed();
  expect((await files()).size).toBe(1);
  now = other.forgetAt;
  expect(first.size).toBe(0);
});

test('ids that differ in case alone have records of their own', async () => {
  const interactions = await load();
  const id = 'abcdefab-cdef-4bcd-abcd-abcdefabcdef';
  const both = [interaction({ interactionId: id }), interaction({ interactionId: id.toUpperCase() })];
  await Promise.all(both.map((each) => interactions.keep(each)));
  const names = [...(await files()).keys()];
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(2);
});

test('a draft that a killed process left counts for nothing: the record before it does, and the draft goes', async () => {
  const interactions = await load();
  const one = interaction();
  await interactions.keep(one);
  const [record] = [...(await files()).keys()] as [string];
  const text = await readFile(join(at, record), 'utf8');
  const newer = text.replace('"digest":"d"', '"digest":"e"');
  await writeFile(join(at, `${record}.tmp`), newer.slice(0, newer.length / 2));
  await writeFile(join(at, `${'0'.repeat(64)}.json.tmp`), '');

  const again = await load();
  expect(again.all()).toEqual([one]);
  expect([...(await files()).keys()]).toEqual([record]);
  expect(told).toEqual([]);
  one.digest = 'f';
  await again.keep(one);
  expect((await load()).find(one.interactionId)?.digest).toBe('f');
});

test('a damaged record costs no other one', async () => {
  const interactions = await load();
  const [good, bad] = [interaction(), interaction()];
  await interactions.keep(good);
  const [goods] = [...(await files()).keys()] as [string];
  await interactions.keep(bad);
  const damaged = [...(await files()).keys()].find((name) => name !== goods) as string;
  await writeFile(join(at, damaged), '{');
  expect((await load()).all()).toEqual([good]);
  expect(told).toEqual([expect.stringContaining(`${join(at, damaged)} is damaged`)]);
  expect((await load()).all()).toEqual([good]);
  expect(told).toHaveLength(1);
});

test('what could not be written is not said to be kept, and can be kept later', async () => {
  const interactions = await load();
  const one = interaction();
  await rm(at, { recursive: true });
  await expect(interactions.keep(one)).rejects.toThrow('ENOENT');
  await expect(interactions.kept(one)).rejects.toThrow('ENOENT');
  await mkdir(at);
  await interactions.kept(one);
  expect((await load()).all()).toEqual([one]);
  // Nothing more to do.
  await rm(at, { recursive: true });
  await interactions.kept(one);
});
