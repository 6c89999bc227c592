import '../../src/headless/install.ts';
import { aiccOf, defineTool } from 'phaser-aicc';
import { afterEach, describe, expect, test } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, playScene, playUntil, sceneOf, someone, turn } from './play.ts';

const games: Headless[] = [];
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

const rest = defineTool({
  id: 'rest',
  class: 'actuator',
  description: 'Rest.',
  input: { type: 'object', properties: { ms: { type: 'integer' } } },
  run: async ({ ms = 300 }, context) => {
    await context.sleep(ms);
    return { tick: context.tick, now: Math.round(context.now), scene: Math.round(context.scene.time.now) };
  },
});

const bound = (id: string, key: string) =>
  sceneOf((made) => void aiccOf(made).character(id, null, { ...someone, default: false, tools: [rest] }), key);

/** An agent that gets every tick. */
const watcherOf = (headless: Headless, character: string) =>
  agentOf(headless, { character, subscribe: ['tick'], model: { class: 'edge_small', expected_full_response_ms: 0 } });

/** A game of two bound scenes that run side by side, and an agent in each. */
async function twoScenes(world: Parameters<typeof playScene>[1]) {
  const [town, battle] = [bound('mayor', 'town'), bound('knight', 'battle')];
  const headless = await playScene([town, battle], world);
  games.push(headless);
  town.scene.launch('battle');
  headless.step();
  const [mayor, knight] = [await watcherOf(headless, 'mayor'), await watcherOf(headless, 'knight')];
  return { headless, town, battle, mayor, knight, bridge: findWorld(headless.game)!.bridge! };
}

describe('E6: while the only bound scene is paused', () => {
  test('E2: nothing moves in event mode, and its call comes to the same however long the pause and whatever its frames', async () => {
    const outcomes: unknown[][] = [];
    for (const [pausedMs, frameMs] of [
      [0, 16],
      [20, 16],
      [1_000, 16],
      [3_000, 40],
    ] as const) {
      const scene = bound('mayor', 'town');
      const headless = await playScene(scene, { tickMode: 'event' });
      games.push(headless);
      const session = await watcherOf(headless, 'mayor');
      const ticks: unknown[] = [];
      session.on('tick', ({ tick, time_ms }) => ticks.push([tick, Math.round(time_ms)]));
      const resting = session.call('rest', { ms: 450 });
      await turn();
      await headless.runAsync(150);
      if (pausedMs > 0) {
        const bridge = findWorld(headless.game)!.bridge!;
        const before = [bridge.tick, bridge.now, scene.time.now];
        scene.scene.pause();
        for (let ms = 0; ms < pausedMs; ms += frameMs) {
          headless.step(frameMs);
          await turn();
        }
        expect([bridge.tick, bridge.now, scene.time.now]).toEqual(before);
        scene.scene.resume();
      }
      outcomes.push([await playUntil(headless, resting, 3_000), scene.time.now, ticks]);
    }
    expect(outcomes[0]![0]).toEqual({ tick: 4, now: 450, scene: 450 });
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });

  test.each(['hybrid', 'fixed'] as const)("no tick comes in %s mode, and time_ms is the scene's own", async (tickMode) => {
    const scene = bound('mayor', 'town');
    const headless = await playScene(scene, { tickMode });
    games.push(headless);
    const session = await watcherOf(headless, 'mayor');
    const ticks: number[][] = [];
    session.on('tick', ({ tick, time_ms }) => ticks.push([tick, Math.round(time_ms)]));
    await headless.runAsync(250);
    const before = ticks.length;
    const [tick = 0, time = 0] = ticks.at(-1)!;
    scene.scene.pause();
    await headless.runAsync(2_000);
    expect(ticks.length).toBe(before);
    scene.scene.resume();
    await headless.runAsync(250);
    expect(ticks[before]![0]).toBe(tick + 1);
    expect(ticks[before]![1]! - time).toBeLessThan(120);
  });

  test('a character that is declared then is paused too, until the scene goes on', async () => {
    const scene = sceneOf(() => undefined);
    const headless = await playScene(scene);
    games.push(headless);
    aiccOf(scene).character('first', null, { ...someone, tools: [rest] });
    scene.scene.pause();
    headless.step();
    aiccOf(scene).character('late', null, { ...someone, default: false, tools: [rest] });
    const session = await agentOf(headless, { character: 'late' });
    await expect(session.call('rest')).rejects.toMatchObject({ code: 'tool_unavailable', message: expect.stringContaining('paused') });
    scene.scene.resume();
    headless.step();
    await turn();
    expect(await playUntil(headless, session.call('rest'), 1_000)).toBeDefined();
  });
});

describe('E6: while one of two bound scenes is paused', () => {
  test('the other one goes on: who is paused gets no tick and loses no time', async () => {
    const { headless, town, mayor, knight } = await twoScenes({});
    const times: { [who: string]: number[] } = { mayor: [], knight: [] };
    mayor.on('tick', ({ time_ms }) => times.mayor!.push(time_ms));
    knight.on('tick', ({ time_ms }) => times.knight!.push(time_ms));
    const resting = mayor.call('rest', { ms: 300 });
    await turn();
    await headless.runAsync(120);
    town.scene.pause();
    headless.step();
    await turn();
    const before = { mayor: times.mayor!.length, knight: times.knight!.length };
    expect(await playUntil(headless, knight.call('rest', { ms: 2_000 }), 3_000)).toBeDefined();
    expect(times.mayor!.length).toBe(before.mayor);
    expect(times.knight!.length).toBeGreaterThan(before.knight + 10);
    town.scene.resume();
    expect(await playUntil(headless, resting, 300)).toBeDefined();
    await headless.runAsync(100);
    const [last = 0, next = 0] = times.mayor!.slice(before.mayor - 1);
    expect(next - last).toBeLessThan(200);
  });
});

describe('E2, E6: event mode while one of two bound scenes is paused', () => {
  const stepOn = async (headless: Headless, frames: number) => {
    for (let frame = 0; frame < frames; frame++) {
      headless.step();
      await turn();
    }
  };

  test('nothing moves for the calls of who is paused, however long; the other one is served, and a trigger has its tick', async () => {
    const outcomes: unknown[] = [];
    for (const frames of [3, 200]) {
      const { headless, town, battle, mayor, knight, bridge } = await twoScenes({ tickMode: 'event' });
      const resting = mayor.call('rest', { ms: 450 });
      await turn();
      await stepOn(headless, 9);
      town.scene.pause();
      await stepOn(headless, 2);
      const paused = [bridge.tick, bridge.now, battle.time.now];
      await stepOn(headless, frames);
      expect([bridge.tick, bridge.now, battle.time.now]).toEqual(paused);
      const knights = [await playUntil(headless, knight.call('rest', { ms: 250 }), 1_000)];
      await stepOn(headless, frames);
      const served = [bridge.tick, bridge.now, town.time.now];
      aiccOf(battle).trigger('dawn');
      await stepOn(headless, 20);
      expect(bridge.tick - served[0]!).toBeGreaterThanOrEqual(1);
      expect(bridge.tick - served[0]!).toBeLessThanOrEqual(2);
      expect(town.time.now).toBe(served[2]);
      const triggered = bridge.now;
      await stepOn(headless, frames);
      expect(bridge.now).toBe(triggered);
      town.scene.resume();
      outcomes.push([paused, knights, served, triggered, await playUntil(headless, resting, 1_000), bridge.now]);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  test('of several triggers while somebody is paused in the middle of a call, each moves a tick', async () => {
    const { headless, town, battle, mayor, bridge } = await twoScenes({ tickMode: 'event' });
    const resting = mayor.call('rest', { ms: 450 });
    await turn();
    await stepOn(headless, 9);
    town.scene.pause();
    await stepOn(headless, 5);
    const { tick } = bridge;
    for (let count = 0; count < 3; count++) aiccOf(battle).trigger('dawn');
    await stepOn(headless, 100);
    expect(bridge.tick).toBe(tick + 4);
    town.scene.resume();
    expect(await playUntil(headless, resting, 1_000)).toMatchObject({ now: 450 });
  });
});
