import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type Character, defineTool } from 'phaser-aicc';
import { body, moveTo, say, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import { seededRandom } from '../../src/bridge/index.ts';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, play, playScene, playUntil, sceneOf, someone, turn } from './play.ts';

const games: Headless[] = [];
const keep = <T extends Headless>(headless: T): T => {
  games.push(headless);
  return headless;
};
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

const where = defineTool({
  id: 'where',
  class: 'sensor',
  description: 'Where am I?',
  snapshot: true,
  run: (_input, context) => ({ ...context.body.position(), unit: context.unit ?? '' }),
});
const bite = defineTool({
  id: 'bite',
  class: 'actuator',
  lane: 'jaw',
  description: 'Bite for a second.',
  available: (context) => context.body.position().x < 500 || 'too far',
  run: async (_input, context) => {
    await context.sleep(1_000);
    return { bitten: true };
  },
});

interface Pack {
  headless: Headless;
  wolves: Phaser.GameObjects.Group;
  pack: Character;
}

async function playPack(tools = [where, bite, moveTo(), body(), vision(), say()]): Promise<Pack> {
  let wolves!: Phaser.GameObjects.Group;
  let pack!: Character;
  const headless = keep(
    await play((scene) => {
      wolves = scene.physics.add.group({ maxSize: 30 });
      pack = aiccOf(scene).character('pack', wolves, { ...someone, tools });
    }),
  );
  return { headless, wolves, pack };
}

describe('D10: a squad', () => {
  test('its living members are the units: each call names one, and runs with its body', async () => {
    const { headless, wolves, pack } = await playPack();
    const session = await agentOf(headless, { subscribe: ['tick'], model: { class: 'edge_small', expected_full_response_ms: 0 } });
    await expect(session.call('where')).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('unit') });
    wolves.get(100, 100);
    wolves.get(700, 50);
    expect(await session.call('where', { unit: 'pack_1' })).toEqual({ x: 100, y: 100, unit: 'pack_1' });
    expect(await session.call('where', { unit: 'pack_2' })).toEqual({ x: 700, y: 50, unit: 'pack_2' });
    expect(pack.body).toBeNull();
    await headless.runAsync(200);
    expect(session.snapshot).toMatchObject({
      units: {
        pack_1: { sensors: { where: { x: 100 } }, available: {} },
        pack_2: { sensors: { where: { x: 700 } }, available: { bite: 'too far' } },
      },
    });
    await expect(session.call('where', { unit: 'pack_3' })).rejects.toMatchObject({
      code: 'tool_unavailable',
      message: 'gone',
      retryable: false,
    });
    await session.close();
  });

  test('the kit works for every unit at once: they walk, see one another by their ids, and are heard where they stand', async () => {
    let deer!: Character;
    const headless = keep(
      await play((scene) => {
        const wolves = scene.add.group();
        aiccOf(scene).character('pack', wolves, { ...someone, tools: [moveTo({ speed: 100 }), body(), vision(), say({ earshot: 100 })] });
        wolves.addMultiple([scene.add.rectangle(100, 100, 8, 8), scene.physics.add.sprite(200, 100, 'none').setSize(8, 8)]);
        deer = aiccOf(scene).character('deer', scene.add.rectangle(100, 190, 8, 8), { description: 'A deer.', tools: [vision(), body()] });
      }),
    );
    const session = await agentOf(headless, { character: 'pack' });
    const prey = await agentOf(headless, { character: deer.id });
    const heard: unknown[] = [];
    prey.on('audio', (payload) => heard.push(payload));
    const walks = [
      session.call('move_to', { unit: 'pack_1', x: 100, y: 150 }),
      session.call('move_to', { unit: 'pack_2', x: 250, y: 100 }),
    ];
    await headless.runAsync(100);
    expect(await session.call('body', { unit: 'pack_1' })).toMatchObject({ doing: 'walking to (100, 150)' });
    expect(await playUntil(headless, Promise.all(walks), 2_000)).toMatchObject([
      { position: { x: 100, y: 150 } },
      { position: { x: 250, y: 100 } },
    ]);
    expect(await session.call('body', { unit: 'pack_1' })).toMatchObject({ doing: 'idle' });
    const ids = async (agent: typeof session, input: { unit?: string }) =>
      ((await agent.call('vision', input)).entities as { id: string }[]).map(({ id }) => id);
    expect(await ids(session, { unit: 'pack_1' })).toEqual(['deer', 'pack_2']);
    expect(await ids(prey, {})).toEqual(['pack_1', 'pack_2']);
    await expect(session.call('move_to', { unit: 'pack_1', target: 'pack_1' })).rejects.toMatchObject({
      message: expect.stringContaining('is you'),
    });
    expect(await session.call('say', { unit: 'pack_2', text: 'Far away.' })).toEqual({ heard_by: [] });
    expect(await session.call('say', { unit: 'pack_1', text: 'Grrr.' })).toEqual({ heard_by: ['deer'] });
    await turn();
    expect(heard).toMatchObject([{ from: 'pack_1', text: 'Grrr.', distance: 40 }]);
    await session.close();
  });

  test('a lane belongs to one unit, and a death ends its calls at once', async () => {
    const { headless, wolves } = await playPack();
    const session = await agentOf(headless);
    const [first, second] = [wolves.get(1, 1), wolves.get(2, 2)] as Phaser.Physics.Arcade.Sprite[];
    const bites = ['pack_1', 'pack_2'].map((unit) => session.call('bite', { unit }));
    await turn();
    wolves.killAndHide(first!);
    // Given out again at once: another life in the same body.
    expect(wolves.get(3, 3).setActive(true)).toBe(first);
    await expect(bites[0]).rejects.toMatchObject({ code: 'tool_unavailable', message: 'gone', retryable: false });
    await expect(session.call('where', { unit: 'pack_1' })).rejects.toMatchObject({ message: 'gone' });
    expect(await session.call('where', { unit: 'pack_3' })).toMatchObject({ x: 3 });
    expect(await playUntil(headless, bites[1]!, 2_000)).toEqual({ bitten: true });
    const last = session.call('bite', { unit: 'pack_2' });
    await turn();
    second!.destroy();
    await expect(last).rejects.toMatchObject({ message: 'gone' });
    wolves.remove(first!);
    await expect(session.call('where', { unit: 'pack_3' })).rejects.toMatchObject({ message: 'gone' });
    await session.close();
  });

  test('C8: the session outlives the pack and its scene, and no unit id comes back', async () => {
    let wolves!: Phaser.GameObjects.Group;
    const scene = sceneOf((made) => {
      wolves = made.physics.add.group();
      wolves.get(made.time.now, 0);
      aiccOf(made).character('pack', wolves, { ...someone, tools: [where] });
    });
    const headless = keep(await playScene(scene));
    const session = await agentOf(headless);
    expect(await session.call('where', { unit: 'pack_1' })).toBeDefined();
    const [wolf] = wolves.getChildren();
    scene.scene.restart();
    headless.step();
    headless.step();
    await expect(session.call('where', { unit: 'pack_1' })).rejects.toMatchObject({ message: 'gone' });
    expect(await session.call('where', { unit: 'pack_2' })).toBeDefined();
    expect(Object.getOwnPropertyDescriptor(wolf, 'active')).toHaveProperty('value', false);
    wolves.destroy(true);
    await expect(session.call('where', { unit: 'pack_2' })).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    await session.close();
  });

  test('1,000 lives in 30 bodies: no call reaches a later life', async () => {
    const reached: string[] = [];
    const lives = new Map<Phaser.GameObjects.GameObject, number>();
    const born = new Map<string, number>();
    const touch = defineTool({
      id: 'touch',
      class: 'actuator',
      description: 'Touch yourself, now and a while later.',
      run: async (_input, context) => {
        const wolf = context.body.object as Phaser.GameObjects.GameObject;
        const check = () => {
          if (lives.get(wolf) !== born.get(context.unit!)) reached.push(context.unit!);
        };
        check();
        await context.sleep(40);
        check();
      },
    });
    const { headless, wolves } = await playPack([touch]);
    const bridge = findWorld(headless.game)!.bridge!;
    const session = await agentOf(headless);
    const random = seededRandom('wolves');
    const outcomes = { done: 0, gone: 0, other: 0 };
    let count = 0;
    while (count < 1_000) {
      for (let births = 3; births > 0; births--) {
        const wolf = wolves.get(10, 10) as Phaser.GameObjects.Sprite | null;
        if (!wolf) {
          wolves.killAndHide(wolves.getChildren()[0]!);
          continue;
        }
        wolf.setActive(true);
        count++;
        lives.set(wolf, count);
        born.set(`pack_${count}`, count);
        // The pack is looked at, as at every call, so that each life gets its number.
        expect(await session.call('touch', { unit: 'nobody' }).catch(({ message }) => message)).toBe('gone');
        for (const unit of [count, count - 1, count - 20]) {
          session.call('touch', { unit: `pack_${unit}` }).then(
            () => outcomes.done++,
            ({ message }: Error) => outcomes[message === 'gone' ? 'gone' : 'other']++,
          );
        }
        if (random() < 0.7) wolves.killAndHide(wolves.getChildren()[Math.floor(random() * wolves.getLength())]!);
      }
      headless.step();
      await turn();
    }
    await headless.runAsync(200);
    expect(reached).toEqual([]);
    expect(outcomes.other).toBe(0);
    expect(outcomes.done).toBeGreaterThan(200);
    expect(outcomes.gone).toBeGreaterThan(500);
    expect(outcomes.done + outcomes.gone).toBe(count * 3);
    expect(bridge.characters()).toHaveLength(1);
    await session.close();
  });
});
