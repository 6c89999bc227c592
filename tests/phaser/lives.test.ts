import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type Character, type CharacterOptions, type Driver, defineTool } from 'phaser-aicc';
import { defineBrain } from 'phaser-aicc/brain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, playScene, sceneOf, someone } from './play.ts';

const games: Headless[] = [];
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});
const keep = async (headless: Promise<Headless>): Promise<Headless> => {
  games.push(await headless);
  return headless;
};

const who = (name: string) => defineTool({ id: 'who', class: 'sensor', description: 'Who am I?', run: () => ({ name }) });

const charactersOf = ({ game }: Headless) => findWorld(game)!.bridge!.characters();
const defaultsOf = (headless: Headless) => charactersOf(headless).flatMap(({ id, default: isDefault }) => (isDefault ? [id] : []));

/** A level whose one character is the default. */
const level = (key: string, id: string) => sceneOf((made) => void aiccOf(made).character(id, null, { ...someone, tools: [who(id)] }), key);

describe('C8, B3: the default', () => {
  test('the next level may have another one, which agents get that name nobody; the session of the last level waits', async () => {
    const [one, two] = [level('one', 'hero'), level('two', 'pilot')];
    const headless = await keep(playScene([one, two]));
    const waiting = await agentOf(headless);
    one.scene.start('two');
    headless.step();
    headless.step();
    expect(defaultsOf(headless)).toEqual(['pilot']);
    const next = await agentOf(headless);
    expect(await next.call('who')).toEqual({ name: 'pilot' });
    await expect(waiting.call('who')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    // And back.
    two.scene.start('one');
    headless.step();
    headless.step();
    expect(await waiting.call('who')).toEqual({ name: 'hero' });
    expect(defaultsOf(headless)).toEqual(['hero']);
    await waiting.close();
    const again = await agentOf(headless);
    expect(await again.call('who')).toEqual({ name: 'hero' });
    await Promise.all([next.close(), again.close()]);
  });

  test('stays the one that waits while nobody else wants to be it, and two that are there cannot both be', async () => {
    const [one, two] = [level('one', 'hero'), sceneOf((made) => void made, 'two')];
    const headless = await keep(playScene([one, two]));
    one.scene.launch('two');
    headless.step();
    expect(() => aiccOf(two).character('pilot', null, { ...someone, tools: [] })).toThrow("'hero' is the default already");
    expect(() => aiccOf(two).character('pilot', null, { ...someone, tools: [{}] as never })).toThrow(TypeError);
    one.scene.stop();
    headless.step();
    expect(defaultsOf(headless)).toEqual(['hero']);
    expect(() => aiccOf(two).character('pilot', null, { ...someone, tools: [{}] as never })).toThrow(TypeError);
    expect(defaultsOf(headless)).toEqual(['hero']);
  });

  test('a body that comes back leaves it to who got it meanwhile, and its scene goes on', async () => {
    let sprite!: Phaser.GameObjects.Sprite;
    const scene = sceneOf((made) => {
      sprite = made.add.sprite(1, 1, '__WHITE');
      aiccOf(made).character('hero', sprite, { ...someone, tools: [who('hero')] });
    });
    const headless = await keep(playScene(scene));
    sprite.setActive(false);
    headless.step();
    aiccOf(scene).character('pilot', null, { ...someone, tools: [who('pilot')] });
    sprite.setActive(true);
    headless.step();
    expect(defaultsOf(headless)).toEqual(['pilot']);
    const session = await agentOf(headless, { character: 'hero' });
    expect(await session.call('who')).toEqual({ name: 'hero' });
    await session.close();
  });
});

describe('C8: a character that was away for longer than rebindMs', () => {
  async function heroWho(given: Partial<CharacterOptions> = {}) {
    let hero!: Character;
    let sprite!: Phaser.GameObjects.Sprite;
    const told: Driver[] = [];
    const scene = sceneOf((made) => {
      sprite = made.add.sprite(1, 1, '__WHITE');
      hero = aiccOf(made).character('hero', sprite, { ...someone, rebindMs: 20, tools: [who('hero')], ...given });
      hero.on('driver', (driver) => told.push(driver));
    });
    const headless = await keep(playScene(scene));
    const comesBack = async (meanwhile: () => void = () => undefined) => {
      sprite.setActive(false);
      headless.step();
      await vi.waitFor(() => expect(charactersOf(headless)).toEqual([]));
      meanwhile();
      sprite.setActive(true);
      headless.step();
    };
    return { headless, hero, told, comesBack };
  }

  test("is still the person's who took it over, and those who listened to who drives listen on, each until it stops", async () => {
    const { headless, hero, told, comesBack } = await heroWho();
    const others: Driver[] = [];
    const stop = hero.on('driver', (driver) => others.push(driver));
    hero.takeOver(true);
    await comesBack();
    expect(hero.driver).toBe('person');
    expect(told).toEqual(['person']);
    stop();
    const session = await agentOf(headless);
    expect(hero.driver).toBe('person');
    hero.takeOver(false);
    expect(told).toEqual(['person', 'agent']);
    await comesBack();
    expect(told).toEqual(['person', 'agent', 'none']);
    await session.closed;
    const next = await agentOf(headless);
    expect(told).toEqual(['person', 'agent', 'none', 'agent']);
    expect(others).toEqual(['person']);
    await next.close();
  });

  test('who took over or began to listen while it was away counts too', async () => {
    const { hero, told, comesBack } = await heroWho();
    const late: Driver[] = [];
    await comesBack(() => {
      hero.on('driver', (driver) => late.push(driver));
      hero.takeOver(true);
    });
    expect(hero.driver).toBe('person');
    hero.takeOver(false);
    expect(told).toEqual(['person', 'none']);
    expect(late).toEqual(told);
  });
});

describe('a character that is declared again', () => {
  const TWICE = "aicc: character 'fox' was declared again while it lived: the first one is gone; give each its own id";
  const fox = { description: 'A fox.', tools: [who('fox')] };
  const brainOf = (kind: string) => defineBrain({ kind, start: () => () => undefined });

  async function foxes(create: (scene: Phaser.Scene) => void, others: Phaser.Scene[] = []) {
    const logged: string[] = [];
    const scene = sceneOf(create, 'den');
    const headless = await keep(playScene([scene, ...others], { log: (message) => void logged.push(message) }));
    const frames = () => {
      headless.step();
      headless.step();
    };
    frames();
    return { scene, headless, logged, frames };
  }

  test('while its body lives is told to the log, once, and the first handle says that it drives nothing', async () => {
    let first!: Character;
    const { scene, logged, frames } = await foxes((made) => {
      first = aiccOf(made).character('fox', made.add.sprite(1, 1, '__WHITE'), fox);
      aiccOf(made).character('fox', made.add.sprite(9, 9, '__WHITE'), fox);
    });
    expect(logged).toEqual([TWICE]);
    const third = aiccOf(scene).character('fox', scene.add.group(scene.add.sprite(9, 9, '__WHITE')), fox);
    const fourth = aiccOf(scene).character('fox', scene.add.sprite(9, 9, '__WHITE'), fox);
    frames();
    expect(logged).toEqual([TWICE]);
    first.drive(null);
    third.drive(brainOf('late'));
    expect(logged).toEqual([TWICE, "aicc: character 'fox'.drive(brain): it was declared again"]);
    expect(fourth.mind).toBe('');
    fourth.remove();
    fourth.drive(brainOf('late'));
    expect(logged.slice(2)).toEqual(["aicc: character 'fox'.drive(brain): it was removed"]);
  });

  test.each(['no body', 'the same body'])('in one frame with %s is told too', async (which) => {
    const { logged } = await foxes((made) => {
      const body = which === 'no body' ? null : made.add.sprite(1, 1, '__WHITE');
      aiccOf(made).character('fox', body, fox);
      aiccOf(made).character('fox', body, { ...fox, description: 'Another fox.' });
    });
    expect(logged).toEqual([TWICE]);
  });

  test('in another scene that runs beside the first is told too, and ends the first with its driver', async () => {
    let first!: Character;
    let second!: Character;
    const beside = sceneOf((made) => {
      second = aiccOf(made).character('fox', made.add.sprite(9, 9, '__WHITE'), fox);
      second.drive(brainOf('second'));
    }, 'beside');
    const { scene, headless, logged, frames } = await foxes(
      (made) => {
        first = aiccOf(made).character('fox', made.add.sprite(1, 1, '__WHITE'), fox);
        first.drive(brainOf('first'));
      },
      [beside],
    );
    scene.scene.launch('beside');
    frames();
    expect(logged).toEqual([TWICE]);
    expect([first.mind, second.mind]).toEqual(['', 'second']);
    const session = await agentOf(headless, { character: 'fox' });
    expect(await session.call('who')).toEqual({ name: 'fox' });
    await session.close();
  });

  test('after a restart, in the next level, after a death, with the same body, or just before the old body goes is no mistake', async () => {
    let body!: Phaser.GameObjects.Sprite;
    let late!: Character;
    const declare = (made: Phaser.Scene) => {
      body = made.add.sprite(1, 1, '__WHITE');
      late = aiccOf(made).character('fox', body, fox);
    };
    const next = sceneOf(declare, 'next');
    const { scene, logged, frames } = await foxes(declare, [next]);
    const old = late;
    scene.scene.restart();
    frames();
    old.drive(brainOf('late'));
    body.setActive(false);
    declare(scene);
    frames();
    body.destroy();
    declare(scene);
    frames();
    body.setActive(false);
    frames();
    body.setActive(true);
    frames();
    aiccOf(scene).character('fox', body, fox);
    frames();
    const before = body;
    declare(scene);
    before.destroy();
    frames();
    scene.scene.launch('next').stop();
    frames();
    expect(next.sys.isActive()).toBe(true);
    next.scene.transition({ target: 'den', duration: 200 });
    frames();
    expect(scene.sys.isActive() && next.sys.isActive()).toBe(true);
    expect(logged).toEqual([]);
  });
});
