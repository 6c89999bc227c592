import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aicc, aiccOf, type Brain, type Character, defineTool, type JsonObject, type SceneAicc } from 'phaser-aicc';
import { defineBrain } from 'phaser-aicc/brain';
import { say, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentOf, play, playScene, playUntil, sceneOf, someone, turn } from './play.ts';

const games: Headless[] = [];
const keep = <T extends Headless>(headless: T): T => {
  games.push(headless);
  return headless;
};
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

const wait = defineTool({
  id: 'wait',
  class: 'actuator',
  description: 'Wait a second.',
  run: async (_input, context) => {
    await context.sleep(1000);
    return { x: context.body.position().x };
  },
});
const waitForEver = (condition: () => boolean) =>
  defineTool({
    id: 'wait_for_ever',
    class: 'actuator',
    description: 'Wait.',
    run: (_input, context) => context.until(() => context.tick > 1 && condition()),
  });
const where = defineTool({
  id: 'where',
  class: 'sensor',
  description: 'Where am I?',
  run: (_input, context) => ({ ...context.body.position() }),
});

test('a scene knows by which name agents find its game', async () => {
  let aicc!: SceneAicc;
  const headless = keep(
    await playScene(
      sceneOf((scene) => {
        aicc = aiccOf(scene);
      }),
      { world: 'forest' },
    ),
  );
  expect(aicc.world).toBe('forest');
  const world = findWorld(headless.game);
  if (world) world.name = 'forest-2';
  expect(aicc.world).toBe('forest-2');
});

describe('declaring', () => {
  test('aiccOf says how to install the plugin where it is missing, and when to call it', async () => {
    let said = '';
    const bare = keep(
      await createHeadless({
        scene: sceneOf((scene) => {
          try {
            aiccOf(scene);
          } catch (error) {
            said = (error as Error).message;
          }
        }),
      }),
    );
    bare.step();
    expect(said).toContain('plugins: { global: [aicc(');
    expect(said).toContain('preBoot');
    expect(() => aiccOf(sceneOf(() => undefined))).toThrow(/create\(\)/);
  });

  test('misuse throws at the call and names what is wrong', async () => {
    const failures: string[] = [];
    const failing = (run: () => void) => {
      try {
        run();
        failures.push('nothing');
      } catch (error) {
        failures.push((error as Error).message);
      }
    };
    keep(
      await play((scene) => {
        const ai = aiccOf(scene);
        failing(() => ai.character('hero', [] as never, { ...someone, tools: [] }));
        failing(() => ai.character('hero', {} as never, { ...someone, tools: [] }));
        failing(() => ai.character('he ro', null, { ...someone, tools: [] }));
        failing(() => ai.character('hero', null, { ...someone, tools: [wait, wait] }));
        failing(() => ai.entities([{} as never], { kind: 'coin' }));
        failing(() => ai.entities(scene.add.zone(0, 0, 1, 1), {} as never));
        failing(() => ai.map({} as never));
      }),
    );
    expect(failures.map((message) => message.split(':')[0])).toEqual([
      "character('hero', body)",
      "character('hero', body)",
      expect.stringContaining('he ro'),
      expect.stringContaining('hero'),
      expect.stringContaining('entities'),
      expect.stringContaining('entities'),
      'map(walls)',
    ]);
    expect(() => aicc({} as never)).toThrow(/world must be a name/);
    expect(() => aicc({ world: 'x', tickMode: 'sometimes' as never })).toThrow(/tickMode/);
    expect(() => aicc({ world: 'x', tickRateHz: 0 })).toThrow(/tickRateHz/);
    expect(() => aicc({ world: 'x', barrier: 'some' as never })).toThrow(/barrier/);
    expect(() => aicc({ world: 'x', advanceOn: ['legs' as never] })).toThrow(/advanceOn/);
    expect(() => aicc({ world: 'x', relay: 'ftp://there' })).toThrow(/ws:/);
    for (const token of ['secret', '']) {
      expect(() => aicc({ world: 'x', token: token as never })).toThrow(
        new TypeError("aicc({ token }): token must be a function that returns the token, like () => 'secret'"),
      );
    }
  });

  test('a plugin entry may stand in the config and in preBoot at once, and serves several games in turn', async () => {
    const entry = aicc({ world: 'both_ways' });
    const start = async () =>
      keep(await createHeadless({ scene: sceneOf(() => undefined), plugins: { global: [entry] }, callbacks: { preBoot: entry.preBoot } }));
    const first = await start();
    expect(findWorld(first.game)?.bridge).toBeDefined();
    first.destroy();
    expect(findWorld(first.game)?.bridge).toBeUndefined();
    const second = await start();
    expect(findWorld(second.game)?.bridge).toBeDefined();
  });

  test('this.aicc is there in every scene, and installed late it comes with aiccOf', async () => {
    let mapped: unknown;
    const scene = sceneOf((created) => {
      mapped = (created as unknown as { aicc: unknown }).aicc;
    });
    const headless = keep(await playScene(scene));
    expect(mapped).toBe(aiccOf(scene));
    const late = sceneOf(() => undefined);
    const bare = keep(await createHeadless({ scene: late }));
    bare.step();
    aicc({ world: 'late' }).preBoot(bare.game);
    aiccOf(late).character('late', null, { ...someone, tools: [] });
    expect(findWorld(bare.game)?.bridge?.characters()).toHaveLength(1);
    headless.step();
  });
});

describe('a life', () => {
  test('C8: one session lives through 20 scene restarts', async () => {
    let created = 0;
    const scene = sceneOf((made) => {
      created++;
      const sprite = made.physics.add.sprite(created, 7, 'none');
      aiccOf(made).entities(made.add.zone(5, 5, 2, 2), { kind: 'coin' });
      aiccOf(made).character('hero', sprite, { ...someone, tools: [where, wait] });
    });
    const headless = keep(await playScene(scene));
    const session = await agentOf(headless, { character: 'hero' });
    for (let restart = 0; restart < 20; restart++) {
      const running = session.call('wait');
      const lost = expect(running).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
      await turn();
      scene.scene.restart();
      headless.step();
      await lost;
      headless.step();
      expect(await session.call('where')).toEqual({ x: created, y: 7 });
      expect(aiccOf(scene).find('coin_1')).toBeDefined();
      expect(aiccOf(scene).find('coin_2')).toBeUndefined();
    }
    expect(created).toBe(21);
    expect(scene.sys.events.listenerCount('preupdate')).toBeLessThan(10);
    await session.close();
  });

  test('C8: a destroyed sprite ends its running calls; the same id declared again is the same character', async () => {
    const scene = sceneOf((made) => {
      aiccOf(made).character('hero', made.physics.add.sprite(1, 1, 'none').setName('hero'), { ...someone, tools: [where, wait] });
    });
    const headless = keep(await playScene(scene));
    const session = await agentOf(headless);
    const running = session.call('wait');
    await turn();
    scene.children.getByName('hero')!.destroy();
    await expect(running).rejects.toMatchObject({ code: 'tool_unavailable', message: 'gone' });
    await expect(session.call('where')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    aiccOf(scene).character('hero', scene.add.rectangle(9, 9, 4, 4), { ...someone, tools: [where] });
    expect(await session.call('where')).toEqual({ x: 9, y: 9 });
    await session.close();
  });

  test('C8: a body that was put back into its pool is gone, and is there again when it lives again', async () => {
    let sprite!: Phaser.Physics.Arcade.Sprite;
    const headless = keep(
      await play((scene) => {
        sprite = scene.physics.add.sprite(3, 4, 'none');
        aiccOf(scene).character('hero', sprite, { ...someone, tools: [where] });
      }),
    );
    const session = await agentOf(headless);
    sprite.disableBody(true, true);
    headless.step();
    await expect(session.call('where')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    sprite.enableBody(true, 30, 40, true, true);
    headless.step();
    expect(await session.call('where')).toEqual({ x: 30, y: 40 });
    await session.close();
  });

  test('a destroyed game closes its world: sessions end, and what its scenes still say does nothing', async () => {
    let hero!: Character;
    const scene = sceneOf((made) => {
      hero = aiccOf(made).character('hero', null, { ...someone, tools: [wait] });
    });
    const headless = keep(await playScene(scene));
    const session = await agentOf(headless);
    headless.destroy();
    expect(await session.closed).toMatchObject({ code: 4002 });
    hero.emit('state_change', { kind: 'late' });
    hero.drive(null);
    hero.remove();
    expect(hero.driver).toBe('none');
  });

  test('mount, unmount, mount (StrictMode) leaves exactly one live world, also when the first game has had no frame to die in', async () => {
    const config = { plugins: { global: [aicc({ world: 'strict' })] } };
    const mount = async () => {
      let hero: Character | undefined;
      const scene = sceneOf((made) => {
        hero = aiccOf(made).character('hero', null, { ...someone, tools: [wait] });
      });
      const headless = keep(await createHeadless({ ...config, scene }));
      headless.step();
      return { headless, scene, hero: () => hero };
    };
    const first = await mount();
    const early = await agentOf(first.headless);
    first.headless.game.destroy(true);
    const second = await mount();
    expect(await early.closed).toMatchObject({ code: 4002, reason: expect.stringContaining('newer') });
    expect(findWorld(first.headless.game)?.bridge).toBeUndefined();
    expect(findWorld(second.headless.game)?.bridge?.characters()).toHaveLength(1);
    // The first game's scenes live on until its next frame, and what they do then must be harmless.
    aiccOf(first.scene)
      .character('hero', null, { ...someone, tools: [wait] })
      .emit('state_change', { kind: 'ghost' });
    first.headless.game.headlessStep(0, 16);
    expect(findWorld(second.headless.game)?.bridge?.characters()).toHaveLength(1);
    const session = await agentOf(second.headless);
    await playUntil(
      second.headless,
      session.call('end_of_nothing').catch(() => undefined),
    );
    await session.close();
  });

  test('remove() ends the sessions at once', async () => {
    let hero!: Character;
    const headless = keep(
      await play((scene) => {
        hero = aiccOf(scene).character('hero', null, { ...someone, tools: [wait] });
      }),
    );
    const session = await agentOf(headless);
    hero.remove();
    expect(await session.closed).toMatchObject({ code: 1000 });
    expect(findWorld(headless.game)?.bridge?.characters()).toEqual([]);
  });
});

describe('pauses', () => {
  test('E6: a paused or sleeping scene, or game, answers tool_unavailable and its time stands still', async () => {
    const scene = sceneOf((made) => {
      aiccOf(made).character('hero', made.physics.add.sprite(0, 0, 'none'), { ...someone, tools: [wait] });
    });
    const other = sceneOf(() => undefined, 'other');
    const headless = keep(await playScene([scene, other]));
    const session = await agentOf(headless);
    const kinds: unknown[] = [];
    session.on('state_change', ({ kind }) => kinds.push(kind));
    for (const [stop, go] of [
      [() => scene.scene.pause(), () => scene.scene.resume()],
      [() => scene.scene.sleep(), () => scene.scene.wake()],
      [() => headless.game.pause(), () => headless.game.resume()],
    ] as const) {
      const running = session.call('wait');
      await headless.runAsync(500);
      stop();
      await headless.runAsync(5_000);
      await expect(session.call('wait')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
      go();
      await expect(playUntil(headless, running, 1_000)).resolves.toEqual({ x: 0 });
    }
    expect(kinds).toEqual(['world_paused', 'world_resumed', 'world_paused', 'world_resumed', 'world_paused', 'world_resumed']);
    await session.close();
  });
});

describe('time', () => {
  test('E1: in fixed mode a call starts at the frame after the next tick', async () => {
    const scene = sceneOf((made) => {
      aiccOf(made).character('hero', made.add.zone(1, 2, 3, 4), { ...someone, tools: [where] });
    });
    const headless = keep(await playScene(scene, { tickMode: 'fixed', tickRateHz: 5 }));
    const session = await agentOf(headless);
    let answered = false;
    const asked = session.call('where').then(() => {
      answered = true;
    });
    await headless.runAsync(150);
    expect(answered).toBe(false);
    await playUntil(headless, asked, 100);
    await session.close();
  });

  test('a tool that throws from a game callback costs the call, not the frame', async () => {
    const scene = sceneOf((made) => {
      const bad = () => {
        throw new Error('a mistake in the game');
      };
      aiccOf(made).entities(made.add.zone(1, 2, 3, 4), { kind: 'coin', hidden: bad });
      aiccOf(made).character('hero', made.add.zone(1, 2, 3, 4), { ...someone, tools: [vision(), say({ show: bad }), waitForEver(bad)] });
    });
    const headless = keep(await playScene(scene));
    const session = await agentOf(headless, { subscribe: ['tick'] });
    for (const [tool, input] of [
      ['vision', {}],
      ['say', { text: 'hm' }],
      ['wait_for_ever', {}],
    ] as const) {
      await expect(playUntil(headless, session.call(tool, input))).rejects.toMatchObject({
        code: 'execution_failed',
        message: 'a mistake in the game',
      });
    }
    headless.run(500);
    await session.close();
  });
});

describe('drivers', () => {
  test('B6: a brain drives, steps back for an agent or a person, and returns; the character tells who drives', async () => {
    let hero!: Character;
    const told: string[] = [];
    const kinds: unknown[] = [];
    let stopped = 0;
    const brain = defineBrain({
      kind: 'counting',
      start(session) {
        session.on('state_change', ({ kind }) => kinds.push(kind));
        return () => stopped++;
      },
    });
    const scene = sceneOf((made) => {
      hero = aiccOf(made).character('hero', null, { ...someone, tools: [wait] });
      hero.on('driver', (driver) => told.push(`${driver} ${hero.mind}`));
      hero.on('driver', () => {
        throw new Error('a listener of the game');
      });
      hero.drive(brain);
    });
    const headless = keep(await playScene(scene));
    await turn();
    expect([hero.driver, hero.mind]).toEqual(['builtin', 'counting']);
    const session = await agentOf(headless, { model: 'cloud_large' });
    expect([hero.driver, hero.mind]).toEqual(['agent', 'cloud_large']);
    await session.close();
    hero.takeOver(true);
    hero.takeOver(false);
    await turn();
    expect(told).toEqual(['builtin counting', 'agent cloud_large', 'builtin counting', 'person ', 'builtin counting']);
    expect(kinds).toEqual(['control_lost', 'control_gained', 'control_lost', 'control_gained']);
    hero.drive(brain);
    expect(stopped).toBe(0);
    scene.scene.restart();
    headless.step();
    await turn();
    expect(stopped).toBe(1);
    expect(hero.driver).toBe('builtin');
    hero.drive(null);
    expect([stopped, hero.driver]).toEqual([2, 'none']);
  });

  test('a brain that fails is told to the log, its character to the fallback, and the game goes on', async () => {
    let hero!: Character;
    const mistake = () => {
      throw new Error('no idea');
    };
    const logged: string[] = [];
    const headless = keep(
      await play(
        (scene) => {
          const instinct = defineBrain({ kind: 'instinct', start: (session) => session.on('tick', mistake) });
          hero = aiccOf(scene).character('hero', null, { ...someone, tools: [wait], fallback: instinct });
          hero.drive(defineBrain({ kind: 'broken', start: mistake }));
        },
        {
          log(message) {
            logged.push(message);
            mistake();
          },
        },
      ),
    );
    await headless.runAsync(500);
    expect(logged).toEqual(["aicc: the brain 'broken' of 'hero': no idea", "aicc: the brain 'instinct' of 'hero': no idea"]);
    expect(hero.mind).toBe('instinct');
    hero.drive(defineBrain({ kind: 'late', start: () => Promise.reject(new Error('too late')) }));
    await headless.runAsync(500);
    expect(logged.slice(2)).toEqual(["aicc: the brain 'late' of 'hero': too late", "aicc: the brain 'instinct' of 'hero': no idea"]);
  });

  test('what defineBrain has not made is no brain', async () => {
    const madeByHand = { kind: 'home-made', start: () => () => undefined };
    const headless = keep(
      await play((scene) => {
        const hero = aiccOf(scene).character('hero', null, { ...someone, tools: [wait] });
        for (const wrong of [madeByHand, undefined, 'stop'] as unknown as Brain[]) {
          expect(() => hero.drive(wrong)).toThrow(
            new TypeError(
              "character 'hero'.drive(brain): this is neither null nor a brain; make it with defineBrain from 'phaser-aicc/brain'",
            ),
          );
        }
        for (const fallback of [madeByHand, null, 'drop'] as unknown as Brain[]) {
          expect(() => aiccOf(scene).character('pal', null, { description: 'A pal.', tools: [wait], fallback })).toThrow(
            new TypeError(
              "character 'pal': fallback is neither 'stop' nor 'hold' nor a brain; make it with defineBrain from 'phaser-aicc/brain'",
            ),
          );
        }
      }),
    );
    headless.run(100);
  });

  test('A2, A3: whatever a brain hands to a call, the call rejects, the session stays and the game goes on', async () => {
    const deep: JsonObject = {};
    let inner = deep;
    for (let depth = 0; depth < 100_000; depth++) inner = inner.value = {};
    const cyclic: JsonObject = {};
    cyclic.self = cyclic;
    const odd: unknown[] = [deep, cyclic, { big: 1n }, { text: 'x'.repeat(2_000_000) }, 'text', null, () => 0];
    const codes: unknown[] = [];
    let hero!: Character;
    const headless = keep(
      await play((scene) => {
        hero = aiccOf(scene).character('hero', null, { ...someone, tools: [wait] });
        hero.drive(
          defineBrain({
            kind: 'odd',
            async start(session) {
              for (const input of odd) await session.call('wait', input as JsonObject).catch(({ code }) => codes.push(code));
              for (const tool of [undefined, 5, '', 'Wait!', 'w'.repeat(2_000_000)] as string[])
                await session.call(tool).catch(({ code }) => codes.push(code));
              return () => undefined;
            },
          }),
        );
      }),
    );
    await headless.runAsync(500);
    expect(codes).toEqual([
      ...odd.map(() => 'invalid_input'),
      ...['invalid_input', 'invalid_input', 'tool_unknown', 'tool_unknown', 'invalid_input'],
    ]);
    expect(hero.mind).toBe('odd');
  });
});
