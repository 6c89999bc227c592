import { expect, test } from 'vitest';
import { direction, understand } from '../../demo-game/ai/words.ts';
import { readOptions } from '../../demo-game/options.ts';
import { viewSize } from '../../demo-game/page/view-size.ts';
import { NightRules, nightMs, reach } from '../../demo-game/rules/night-rules.ts';
import { pick } from '../../demo-game/rules/pick.ts';

const at = (x: number, y = 0) => ({ x, y });

function rules(lanterns = 1): NightRules {
  const posts = Array.from({ length: lanterns }, (_, n) => ({ id: `lantern_${n + 1}`, x: 100, y: n }));
  return new NightRules(posts, [
    { id: 'oil_1', x: 0, y: 0 },
    { id: 'oil_2', x: 10, y: 0 },
  ]);
}

test('a hand holds one flask, and only what is within reach', () => {
  const night = rules();
  expect(night.pickUp('a', at(reach + 1), 'oil_1')).toMatchObject({ ok: false, why: expect.stringContaining(`within ${reach}`) });
  expect(night.pickUp('a', at(reach), 'oil_1')).toEqual({ ok: true });
  expect(night.pickUp('a', at(10), 'oil_2')).toMatchObject({ ok: false, why: expect.stringContaining('full') });
  expect(night.pickUp('b', at(0), 'oil_1')).toMatchObject({ ok: false, why: expect.stringContaining('not on the ground') });
});

test('a lantern takes the oil, burns once, and the last one wins the night', () => {
  const night = rules(2);
  expect(night.light('a', at(100), 'lantern_1')).toMatchObject({ ok: false, why: expect.stringContaining('no oil') });
  night.pickUp('a', at(0), 'oil_1');
  expect(night.light('a', at(100 - reach - 1), 'lantern_1')).toMatchObject({ ok: false, why: expect.stringContaining('px away') });
  expect(night.light('a', at(100), 'lantern_1')).toEqual({ ok: true });
  expect(night.carried('a')).toBeUndefined();
  expect(night.ending).toBe('running');
  night.pickUp('b', at(10), 'oil_2');
  expect(night.light('b', at(100), 'lantern_1')).toMatchObject({ ok: false, why: expect.stringContaining('already') });
  expect(night.light('b', at(100), 'lantern_2')).toEqual({ ok: true });
  expect(night.ending).toBe('won');
  expect(night.stars).toBe(3);
});

test('the clock stops at the end: dawn loses a running night and never a won one', () => {
  const lost = rules();
  lost.advance(nightMs - 1);
  expect(lost.ending).toBe('running');
  lost.advance(1);
  expect(lost.ending).toBe('lost');
  const won = rules();
  won.pickUp('a', at(0), 'oil_1');
  won.light('a', at(100), 'lantern_1');
  won.advance(nightMs * 2);
  expect([won.ending, won.left]).toEqual(['won', nightMs]);
});

test('oil put down lies where it was put, and can be given to empty hands beside one', () => {
  const night = rules();
  night.pickUp('a', at(0), 'oil_1');
  expect(night.give('a', at(0), 'b', at(reach + 1))).toMatchObject({ ok: false });
  expect(night.give('a', at(0), 'a', at(0))).toMatchObject({ ok: false });
  expect(night.give('a', at(0), 'b', at(reach))).toEqual({ ok: true });
  expect(night.putDown('b', at(50.4, 7.6))).toEqual({ ok: true });
  expect(night.flasks[0]).toMatchObject({ x: 50, y: 8, where: 'ground' });
});

test('a pick keeps order and count, and follows its numbers', () => {
  expect(pick(['a', 'b', 'c', 'd'], 2, () => 0)).toEqual(['c', 'd']);
  expect(pick(['a', 'b', 'c', 'd'], 2, () => 0.999)).toEqual(['a', 'b']);
});

test('Mira understands simple words, whatever is said around them', () => {
  const said: Record<string, string> = {
    'Follow me, please': 'follow',
    'STOP!': 'wait',
    'can you fetch some oil?': 'oil',
    'where is oil': 'where',
    'light the lanterns': 'light',
    'give me your flask': 'give',
    'Hello Mira': 'hello',
    help: 'help',
    'how long until dawn?': 'time',
    'thank you': 'thanks',
    'what did I note about the oil?': 'notes',
    xyzzy: 'unknown',
  };
  for (const [text, wish] of Object.entries(said)) expect([text, understand(text)]).toEqual([text, wish]);
});

test('directions are those of the compass, y growing downward', () => {
  expect([at(10, 0), at(0, 10), at(-10, 0), at(0, -10), at(-9, -10)].map((to) => direction(at(0), to))).toEqual([
    'east',
    'south',
    'west',
    'north',
    'north-west',
  ]);
});

test('the address may skip the title and choose renderer, seed and driver; nonsense is ignored', () => {
  expect(readOptions('?play&renderer=canvas&seed=7&driver=none', () => 'new')).toEqual({
    play: true,
    renderer: 'canvas',
    seed: '7',
    companion: false,
  });
  expect(readOptions('?renderer=vulkan&seed=', () => 'new')).toEqual({ play: false, renderer: 'auto', seed: 'new', companion: true });
});

test('a view fills the window with whole device pixels', () => {
  expect(viewSize(1280, 720, 1)).toEqual({ width: 427, height: 240, zoom: 3 });
  expect(viewSize(200, 150, 1)).toEqual({ width: 200, height: 150, zoom: 1 });
  const phone = viewSize(390, 844, 3);
  expect(phone.zoom * 3).toBe(4);
  expect(phone.width * phone.zoom).toBeGreaterThanOrEqual(390);
});
