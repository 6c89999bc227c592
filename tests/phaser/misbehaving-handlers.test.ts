import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type Character, type Context, defineTool } from 'phaser-aicc';
import { defineBrain } from 'phaser-aicc/brain';
import { moveTo, say, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, playScene, playUntil, sceneOf, someone, turn } from './play.ts';

const games: Headless[] = [];
const escaped: unknown[] = [];
const note = (error: unknown) => escaped.push(error);
process.on('unhandledRejection', note);
process.on('uncaughtException', note);

afterEach(async () => {
  for (const game of games.splice(0)) game.destroy();
  await turn();
  expect(escaped.splice(0)).toEqual([]);
});

type Outcome = { output: unknown } | { code: string; message: string };

/** A hero whose one tool does as told, the agent that drives it, and what it hears of a call. */
async function heroWith(act: (context: Context, hero: Character) => unknown, world: Parameters<typeof playScene>[1] = {}) {
  let hero!: Character;
  const misbehave = defineTool({
    id: 'misbehave',
    class: 'actuator',
    description: 'Misbehave.',
    run: (_input, context) => act(context, hero),
  });
  const fine = defineTool({ id: 'fine', class: 'sensor', description: 'Behave.', run: () => ({ fine: true }) });
  const scene = sceneOf((made) => {
    const sprite = made.physics.add.sprite(10, 10, 'none');
    hero = aiccOf(made).character('hero', sprite, { ...someone, tools: [misbehave, fine, vision(), moveTo(), say()] });
  });
  const headless = await playScene(scene, world);
  games.push(headless);
  const session = await agentOf(headless);
  let answers = 0;
  const call = (tool = 'misbehave', input = {}): Promise<Outcome> =>
    session
      .call(tool, input)
      .then(
        (output) => ({ output }),
        ({ code, message }: Error & { code: string }) => ({ code, message }),
      )
      .finally(() => answers++);
  return { headless, scene, session, call, hero: () => hero, answers: () => answers };
}

const GONE = { code: 'tool_unavailable', message: 'gone' };

describe('a handler that', () => {
  test('throws from its abort is told to the log, and costs the call and no more', async () => {
    const told: string[] = [];
    const { call, session } = await heroWith(
      (context) => {
        context.signal.addEventListener('abort', () => {
          throw new Error('in my last breath');
        });
        return context.sleep(10_000);
      },
      { log: (message) => told.push(message) },
    );
    const cancel = new AbortController();
    const running = session.call('misbehave', {}, { signal: cancel.signal });
    await turn();
    cancel.abort();
    await expect(running).rejects.toThrow();
    await turn();
    expect(told).toEqual(["aicc: a listener to an abort of 'hero': in my last breath"]);
    expect(await call('fine')).toEqual({ output: { fine: true } });
  });

  test('destroys its own sprite gets its call told that it is gone, now and later', async () => {
    for (const wait of [false, true]) {
      const { headless, call } = await heroWith(async (context) => {
        if (wait) await context.sleep(50);
        (context.body.object as Phaser.GameObjects.Sprite).destroy();
        context.body.move?.(1, 1);
        context.body.stop?.();
        return {};
      });
      expect(await playUntil(headless, call())).toEqual(GONE);
      headless.run(200);
    }
  });

  test('stops, restarts or removes its own scene while it runs loses the call and no more', async () => {
    for (const end of ['stop', 'restart', 'remove'] as const) {
      const { headless, call, session } = await heroWith(async (context) => {
        context.scene.scene[end]();
        await context.sleep(1_000);
      });
      expect(await playUntil(headless, call())).toEqual(GONE);
      headless.run(200);
      expect(await call('fine')).toMatchObject(end === 'restart' ? { output: { fine: true } } : { code: 'tool_unavailable' });
      await session.close();
    }
  });

  test('destroys its own game ends the session, and says that nobody meant it', async () => {
    const { headless, call, session } = await heroWith(async (context) => {
      context.scene.game.destroy(true);
      await context.sleep(1_000);
    });
    expect(await playUntil(headless, call())).toMatchObject({
      code: expect.stringMatching(/execution_failed|tool_unavailable|session_expired/),
    });
    expect(await session.closed).toMatchObject({ code: 4002 });
    expect(findWorld(headless.game)?.bridge).toBeUndefined();
  });

  test('calls back into the plugin changes what it wants to, and its call still has its one answer', async () => {
    const other = defineTool({ id: 'other', class: 'sensor', description: 'Another.', run: () => ({}) });
    const mischief: { [what: string]: (context: Context, hero: Character) => void } = {
      'sets tools': (_context, hero) => hero.setTools([other]),
      'declares itself again': ({ scene, body }) => void aiccOf(scene).character('hero', body, { ...someone, tools: [other] }),
      'removes itself': (_context, hero) => hero.remove(),
      'takes over and lets go': (_context, hero) => {
        hero.takeOver(true);
        hero.takeOver(false);
      },
      'drives itself': (_context, hero) => hero.drive(defineBrain({ kind: 'reckless', start: () => () => hero.drive(null) })),
      'asks itself': (_context, hero) =>
        void hero.ask({ prompt: '?', tools: ['misbehave'], deadlineMs: 0, fallback: { tool: 'fine', input: {} } }).catch(() => undefined),
      'emits from its abort': (context, hero) => {
        context.signal.addEventListener('abort', () => hero.emit('state_change', { kind: 'late' }));
        hero.remove();
      },
      'triggers and conditions': ({ scene }) => {
        aiccOf(scene).trigger('now');
        aiccOf(scene).condition('done');
      },
      'pauses the world': ({ scene }) => void scene.scene.pause(),
      'throws from its abort': (context, hero) => {
        void context.sleep(10_000).then(() => hero.setTools([other]));
        context.signal.addEventListener('abort', () => {
          throw new Error('in my last breath');
        });
        context.signal.onabort = async () => {
          throw new Error('and after it');
        };
        hero.remove();
      },
    };
    for (const tickMode of ['hybrid', 'event'] as const) {
      for (const [what, act] of Object.entries(mischief)) {
        const { headless, call, answers } = await heroWith((context, hero) => act(context, hero), { tickMode, log: () => undefined });
        const outcome = await playUntil(headless, call(), 2_000);
        expect(outcome, what).toSatisfy((got: Outcome) => 'output' in got || typeof got.code === 'string');
        await headless.runAsync(200);
        expect(answers(), what).toBe(1);
        headless.destroy();
      }
    }
  });

  test('starts work that ends after its abort can do nothing through its context', async () => {
    const late: string[] = [];
    let goOn!: () => void;
    const { headless, call, session, hero } = await heroWith(async (context) => {
      const work = new Promise<void>((resolve) => (goOn = resolve));
      work.then(() => {
        for (const effect of [() => context.progress({ late: true }), () => void context.sleep(1), () => void context.until(() => true)]) {
          try {
            effect();
            late.push('did');
          } catch (error) {
            late.push((error as Error).message);
          }
        }
      });
      await context.external(work);
    });
    const kinds: unknown[] = [];
    session.on('state_change', ({ kind }) => kinds.push(kind));
    const running = call();
    await turn();
    hero().body && (hero().body!.object as Phaser.GameObjects.Sprite).destroy();
    expect(await running).toEqual(GONE);
    goOn();
    await headless.runAsync(100);
    expect(late).toEqual(['gone', 'gone', 'gone']);
    expect(kinds).toEqual([]);
  });

  test('walks, speaks and looks on while its sprite dies under it', async () => {
    const { headless, call, hero } = await heroWith(() => undefined);
    const calls = [call('move_to', { x: 300, y: 10 }), call('say', { text: 'Still here.' })];
    await headless.runAsync(100);
    (hero().body!.object as Phaser.GameObjects.Sprite).destroy();
    expect(await playUntil(headless, calls[0]!)).toEqual(GONE);
    expect(await calls[1]).toEqual({ output: { heard_by: [] } });
    // The bubble above a body that is no more.
    headless.run(5_000);
    expect(await call('vision')).toMatchObject({ code: 'tool_unavailable' });
  });
});
