import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type Body, type Character, type Context, defineTool } from 'phaser-aicc';
import { defineBrain } from 'phaser-aicc/brain';
import { afterEach, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, play, playUntil, someone, turn } from './play.ts';

const games: Headless[] = [];
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

/** A tool whose handler gives its context away and runs until the test lets it. */
function heldTool() {
  const contexts: Context[] = [];
  const ends: (() => void)[] = [];
  const tool = defineTool({
    id: 'act',
    class: 'actuator',
    description: 'Act.',
    lane: 'legs',
    run: (_input, context) => {
      contexts.push(context);
      return new Promise<object>((resolve) => ends.push(() => resolve({})));
    },
  });
  return { tool, contexts, ends };
}

const failure = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: Error) => error.message,
  );

const messageOf = (deed: () => unknown): string => {
  try {
    deed();
  } catch (error) {
    return (error as Error).message;
  }
  return 'did it';
};

/** What acts on a body, by what the handler may have kept of it. */
const bodyDeeds = (context: Context, kept: Body): (() => unknown)[] => {
  const { move, stop, face } = kept;
  return [
    () => context.body.move?.(100, 0),
    () => context.body.stop?.(),
    () => context.body.face?.(1),
    () => kept.move?.(100, 0),
    () => move?.(100, 0),
    () => stop?.(),
    () => face?.(1),
    () => ((kept as { face?: unknown }).face = () => undefined),
  ];
};

type Placed = Phaser.Physics.Arcade.Sprite;

/** Bodies of each kind that the plugin makes, and one of a game. */
const kinds: { [kind: string]: (scene: Phaser.Scene) => Phaser.GameObjects.GameObject | Body } = {
  arcade: (scene) => scene.physics.add.sprite(10, 10, 'none'),
  plain: (scene) => scene.add.sprite(10, 10, '__WHITE'),
  own: () => {
    let speed = { x: 0, y: 0 };
    let angle = 0;
    const go = (x: number, y: number) => {
      speed = { x, y };
    };
    return Object.freeze({
      object: { name: 'boat' },
      position: () => ({ x: 10, y: 10 }),
      velocity: () => speed,
      move: go,
      stop: () => go(0, 0),
      face: (to: number) => {
        angle = to;
      },
      facing: () => angle,
      jump: () => go(0, -1),
    });
  },
};

async function heroOf(kind: string) {
  let hero!: Character;
  const held = heldTool();
  const headless = await play((scene) => {
    hero = aiccOf(scene).character('hero', kinds[kind]!(scene), { ...someone, tools: [held.tool] });
  });
  games.push(headless);
  const session = await agentOf(headless);
  return { headless, session, hero, ...held };
}

describe('D12: after a call has ended', () => {
  test("a unit of a squad that got a new life in the same body is not touched by the old one's call (D10)", async () => {
    let wolves!: Phaser.Physics.Arcade.Group;
    const { tool, contexts } = heldTool();
    const headless = await play((scene) => {
      wolves = scene.physics.add.group({ maxSize: 1 });
      aiccOf(scene).character('pack', wolves, { ...someone, tools: [tool] });
    });
    games.push(headless);
    const session = await agentOf(headless);
    const wolf = wolves.get(10, 10) as Placed;
    const call = failure(session.call('act', { unit: 'pack_1' }));
    await turn();
    const kept = contexts[0]!.body;
    wolves.killAndHide(wolf);
    expect(wolves.get(50, 50)).toBe(wolf);
    wolf.setActive(true);
    expect(await call).toBe('gone');
    for (const deed of bodyDeeds(contexts[0]!, kept)) expect(messageOf(deed)).toBe('gone');
    expect(wolf.body!.velocity).toMatchObject({ x: 0, y: 0 });
    const next = failure(session.call('act', { unit: 'pack_2' }));
    await turn();
    contexts[1]!.body.move!(30, 0);
    expect(wolf.body!.velocity.x).toBe(30);
    for (const deed of bodyDeeds(contexts[0]!, kept)) expect(messageOf(deed)).toBe('gone');
    expect(wolf.body!.velocity.x).toBe(30);
    await session.close();
    await next;
  });

  test.each(Object.keys(kinds))('nothing acts through its body any more, which can still be looked at: %s', async (kind) => {
    for (const end of ['cancelled', 'well'] as const) {
      const { session, hero, contexts, ends } = await heroOf(kind);
      const cancel = new AbortController();
      const call = failure(session.call('act', {}, { signal: cancel.signal }));
      await turn();
      const [context] = contexts;
      const kept = context!.body;
      kept.face!(0.5);
      if (end === 'well') ends[0]!();
      else cancel.abort();
      await call;
      await turn();
      const message = end === 'well' ? 'the call has already ended' : 'cancelled';
      for (const deed of bodyDeeds(context!, kept)) expect(messageOf(deed)).toBe(message);
      if (kind === 'own') expect(messageOf(() => (kept as unknown as { jump(): void }).jump())).toBe(message);
      expect(hero.body!.velocity!()).toEqual({ x: 0, y: 0 });
      expect(hero.body!.facing!()).toBe(0.5);
      expect([kept.position(), kept.velocity!(), kept.facing!()]).toEqual([{ x: 10, y: 10 }, { x: 0, y: 0 }, 0.5]);
      expect(kept.object).toBe(hero.body!.object);
    }
  });

  test("nothing acts through its character any more, nor through that one's body", async () => {
    const { session, hero, contexts, tool } = await heroOf('arcade');
    const cancel = new AbortController();
    const heard: unknown[] = [];
    session.on('state_change', ({ kind }) => heard.push(kind));
    const call = failure(session.call('act', {}, { signal: cancel.signal }));
    await turn();
    const [context] = contexts;
    const { character } = context!;
    const { emit } = character;
    character.emit('state_change', { kind: 'in time' });
    cancel.abort();
    await call;
    await turn();
    const deeds: (() => unknown)[] = [
      () => character.emit('state_change', { kind: 'late' }),
      () => emit('state_change', { kind: 'late' }),
      () => character.setTools([]),
      () => character.takeOver(true),
      () => character.drive(defineBrain({ kind: 'late', start: () => () => undefined })),
      () => character.on('driver', () => undefined),
      () => character.remove(),
      () => character.ask({ prompt: '?', tools: ['act'], deadlineMs: 0, fallback: { tool: 'act', input: {} } }),
      () => character.body!.move!(100, 0),
      () => context!.character.body!.move!(100, 0),
    ];
    for (const deed of deeds) expect(messageOf(deed)).toBe('cancelled');
    expect(heard).toEqual(['in time']);
    expect(hero.driver).toBe('agent');
    expect(hero.body!.velocity!()).toEqual({ x: 0, y: 0 });
    expect([character.id, character.driver, character.mind]).toEqual([hero.id, hero.driver, hero.mind]);
    expect(session.tools.map(({ id }) => id)).toContain(tool.id);
  });

  test('who hears of its abort at once may still clean up', async () => {
    const { session, hero, contexts } = await heroOf('arcade');
    const cancel = new AbortController();
    const call = failure(session.call('act', {}, { signal: cancel.signal }));
    await turn();
    const [context] = contexts;
    const said: string[] = [];
    context!.signal.addEventListener('abort', () => {
      said.push(
        messageOf(() => context!.body.face!(0.25)),
        messageOf(() => context!.sleep(1)),
      );
    });
    cancel.abort();
    await call;
    await turn();
    expect(said).toEqual(['did it', 'cancelled']);
    expect(hero.body!.facing!()).toBe(0.25);
  });
});

describe('D12: a body that a call has set going', () => {
  test('stands still when that is aborted, before the call that takes its place', async () => {
    const { headless, session, hero, contexts } = await heroOf('arcade');
    const first = failure(session.call('act'));
    await turn();
    contexts[0]!.body.move!(100, 0);
    const second = failure(session.call('act'));
    expect(await first).toBe('preempted');
    await turn();
    expect(hero.body!.velocity!()).toEqual({ x: 0, y: 0 });
    contexts[1]!.body.move!(0, 50);
    await headless.runAsync(100);
    expect(hero.body!.velocity!()).toEqual({ x: 0, y: 50 });
    await session.close();
    await second;
    expect(hero.body!.velocity!()).toEqual({ x: 0, y: 0 });
  });

  test('goes on when it ended well', async () => {
    const { headless, session, hero, contexts, ends } = await heroOf('arcade');
    const call = session.call('act');
    await turn();
    contexts[0]!.body.move!(100, 0);
    ends[0]!();
    await playUntil(headless, call);
    await headless.runAsync(100);
    expect(hero.body!.velocity!()).toEqual({ x: 100, y: 0 });
  });
});
