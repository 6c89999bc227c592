import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type SceneAicc } from 'phaser-aicc';
import { interact, moveTo, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, play, playUntil, someone } from './play.ts';

let headless: Headless | undefined;
afterEach(() => {
  headless?.destroy();
  headless = undefined;
});

const touch = { touch: { description: 'Touch it.', run: () => undefined } };

async function near(create: (scene: Phaser.Scene, ai: SceneAicc, hero: Phaser.GameObjects.Zone) => void) {
  let scene!: Phaser.Scene;
  headless = await play((made) => {
    scene = made;
    const ai = aiccOf(made);
    const hero = made.add.zone(94, 50, 8, 8);
    create(made, ai, hero);
    ai.character('hero', hero, { ...someone, tools: [moveTo(), interact({ actions: touch }), vision({ radius: 100 })] });
  });
  const session = await agentOf(headless);
  const seen = async () => ((await session.call('vision')) as { entities: { id: string; distance: number; bearing: number }[] }).entities;
  return { session, seen, scene };
}

describe('a thin wall', () => {
  const bounds = { x: 0, y: 0, width: 200, height: 100 };
  const withWall = (open: boolean) =>
    near((scene, ai) => {
      ai.map((x, y) => x >= 100 && x < 104 && !(open && y > 80), { bounds, cell: 4 });
      ai.entities(scene.add.zone(109, 50, 8, 8), { kind: 'chest' });
    });

  test('interact does not reach through it, as vision does not see through it', async () => {
    const { session, seen } = await withWall(false);
    expect(await seen()).toEqual([]);
    await expect(session.call('interact', { target: 'chest_1' })).rejects.toMatchObject({
      code: 'tool_unavailable',
      reason: 'out_of_reach',
      message: expect.stringContaining('wall'),
    });
  });

  test('move_to does not arrive through it: it goes around, or says that it cannot', async () => {
    const open = await withWall(true);
    await playUntil(headless!, open.session.call('move_to', { target: 'chest_1' }), 20_000);
    expect(await open.session.call('interact', { target: 'chest_1' })).toMatchObject({ action: 'touch' });
    headless!.destroy();
    const closed = await withWall(false);
    await expect(playUntil(headless!, closed.session.call('move_to', { target: 'chest_1' }), 20_000)).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });
});

describe('vision measures to the nearest part', () => {
  test('of a long bridge', async () => {
    const { seen } = await near((scene, ai) => {
      ai.entities(scene.add.zone(94 + 4 + 350, 50, 700, 20), { kind: 'bridge' });
      ai.entities(scene.add.zone(94, 50, 400, 300), { kind: 'field' });
    });
    expect(await seen()).toMatchObject([
      { id: 'field_1', distance: 0 },
      { id: 'bridge_1', distance: 4, bearing: 0 },
    ]);
  });

  test('also where a wall hides its middle, and not where it hides all of it', async () => {
    const { seen } = await near((scene, ai) => {
      ai.map((x, y) => x >= 116 && x < 132 && y > 30 && y < 70, { bounds: { x: 0, y: 0, width: 400, height: 200 } });
      ai.entities(scene.add.zone(150, 60, 8, 110), { kind: 'fence' });
      ai.entities(scene.add.zone(150, 50, 8, 8), { kind: 'coin' });
    });
    expect((await seen()).map(({ id }) => id)).toEqual(['fence_1']);
  });

  test('things without a size, and what tells no bounds', async () => {
    const { seen } = await near((scene, ai) => {
      ai.entities(scene.add.graphics({ x: 114, y: 50 }), { kind: 'ink' });
      ai.entities(scene.add.zone(124, 50, 0, 0), { kind: 'dot' });
      ai.entities(scene.add.container(134, 50), { kind: 'box' });
      ai.entities(scene.add.container(200, 50, scene.add.container(-56, 0)), { kind: 'nest' });
    });
    expect(await seen()).toMatchObject([{ id: 'ink_1', distance: 20 }, { id: 'dot_1', distance: 30 }, { id: 'box_1', distance: 40 }, {}]);
  });
});

describe('ids', () => {
  test('a squad and things of its name share no id, whichever comes first', async () => {
    for (const squadFirst of [true, false]) {
      const { seen, scene } = await near((made, ai) => {
        const pack = made.add.group([made.add.zone(80, 50, 4, 4), made.add.zone(80, 60, 4, 4)]);
        const squad = () => ai.character('wolf', pack, { description: 'Wolves.', tools: [] });
        if (squadFirst) squad();
        ai.entities([made.add.zone(90, 40, 4, 4), made.add.zone(90, 30, 4, 4)], { kind: 'wolf' });
        if (!squadFirst) squad();
      });
      const all = (await seen()).map(({ id }) => id);
      expect(new Set(all).size).toBe(4);
      for (const id of all) expect(aiccOf(scene).find(id)?.id).toBe(id);
      headless!.destroy();
    }
  });

  test('a character that comes after a thing of its id keeps it', async () => {
    const { seen, scene } = await near((made, ai) => {
      ai.entities(made.add.zone(90, 40, 4, 4), { kind: 'wolf' });
      ai.character('wolf_1', made.add.zone(80, 60, 4, 4), { description: 'A wolf.', tools: [] });
    });
    headless!.step();
    expect((await seen()).map(({ id }) => id).sort()).toEqual(['wolf_1', 'wolf_2']);
    expect(aiccOf(scene).find('wolf_1')?.position()).toMatchObject({ x: 80 });
  });

  test('gone is said of what was and is no more; hidden can come back; the rest never was', async () => {
    let hidden = true;
    let dead!: Phaser.GameObjects.Zone;
    const { session } = await near((scene, ai) => {
      ai.entities([scene.add.zone(100, 50, 4, 4)], { kind: 'ghost', hidden: () => hidden });
      ai.entities(scene.add.zone(90, 50, 4, 4), { kind: 'coin' });
      dead = scene.add.zone(80, 50, 4, 4);
      ai.character('friend', dead, { description: 'A friend.', tools: [] });
      ai.character('voice', null, { description: 'A voice.', tools: [] });
    });
    const failing = (target: string) =>
      session.call('interact', { target }).then(
        () => 'ok',
        ({ reason, retryable }) => `${reason} ${retryable}`,
      );
    dead.destroy();
    headless!.step();
    expect(await failing('ghost_1')).toBe('hidden true');
    hidden = false;
    expect(await failing('ghost_1')).toBe('ok');
    expect(await failing('friend')).toBe('gone false');
    for (const never of ['ghost_2', 'ghost_0', 'ghost_01', 'coin_1.0', 'coin_', 'voice', 'moon']) {
      expect([never, await failing(never)]).toEqual([never, 'no_target false']);
    }
  });
});
