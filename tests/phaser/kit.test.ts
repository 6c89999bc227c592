import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { aiccOf, type Character, ToolError } from 'phaser-aicc';
import { body, controls, face, type InteractOptions, interact, moveTo, say, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { AsciiMap } from './ascii.ts';
import { agentOf, type Create, play, playUntil, someone, turn } from './play.ts';

let headless: Headless | undefined;
afterEach(() => {
  headless?.destroy();
  headless = undefined;
});
async function start(create: Create): Promise<Headless> {
  headless = await play(create);
  return headless;
}

describe('vision', () => {
  test('lists declared things and characters within the radius, nearest first, with distance and bearing', async () => {
    await start((scene) => {
      const ai = aiccOf(scene);
      const coins = scene.physics.add.staticGroup();
      coins.add(scene.add.zone(100, 150, 4, 4));
      coins.add(scene.add.zone(130, 100, 4, 4));
      coins.add(scene.add.zone(100, 400, 4, 4));
      ai.entities(coins, { kind: 'coin', state: (coin) => ({ y: (coin as unknown as { y: number }).y }) });
      ai.entities(scene.add.zone(90, 100, 4, 4), { kind: 'ghost', hidden: () => true });
      ai.entities(scene.add.zone(40, 100, 4, 4), { kind: 'door', id: () => 'front_door' });
      ai.character('hero', scene.physics.add.sprite(100, 100, 'none'), { ...someone, tools: [vision({ radius: 200 })] });
      ai.character('friend', scene.add.rectangle(100, 90, 4, 4), { description: 'Friend.', tools: [] });
      ai.character('voice', null, { description: 'A voice.', tools: [vision()] });
    });
    const hero = await agentOf(headless!, { character: 'hero', observe: true });
    expect(await hero.call('vision')).toEqual({
      entities: [
        { id: 'friend', kind: 'character', position: { x: 100, y: 90 }, distance: 8, bearing: -1.57 },
        { id: 'coin_2', kind: 'coin', position: { x: 130, y: 100 }, distance: 28, bearing: 0, state: { y: 100 } },
        { id: 'coin_1', kind: 'coin', position: { x: 100, y: 150 }, distance: 48, bearing: 1.57, state: { y: 150 } },
        { id: 'front_door', kind: 'door', position: { x: 40, y: 100 }, distance: 58, bearing: 3.14 },
      ],
      more: 0,
    });
    expect(hero.snapshot?.sensors?.vision).toMatchObject({ more: 0 });
    const voice = await agentOf(headless!, { character: 'voice' });
    const { entities } = (await voice.call('vision')) as { entities: { id: string }[] };
    expect(entities.map(({ id }) => id)).toEqual(['hero', 'friend', 'coin_1', 'coin_2', 'coin_3', 'front_door']);
    await hero.close();
    await voice.close();
  });

  test('is capped, and says how many more there are', async () => {
    await start((scene) => {
      const ai = aiccOf(scene);
      ai.entities(
        Array.from({ length: 30 }, (_, index) => scene.add.zone(index, 0, 1, 1)),
        { kind: 'ant' },
      );
      ai.character('hero', scene.add.zone(0, 0, 1, 1), { ...someone, tools: [vision()] });
    });
    const session = await agentOf(headless!);
    const seen = (await session.call('vision')) as { entities: { id: string }[]; more: number };
    expect([seen.entities.length, seen.entities[19]!.id, seen.more]).toEqual([20, 'ant_20', 10]);
    await session.close();
  });

  test('walls and things that block sight hide what is behind them; water does not', async () => {
    const map = new AsciiMap(`
      ##########
      #H..A#B..#
      #..#######
      #...C....#
      #........#
      #D.......#
      ##########`);
    await start((scene) => {
      const ai = aiccOf(scene);
      map.build(scene, ai);
      const water = map.at('C');
      ai.map((x, y) => Math.abs(x - water.x) < 8 && Math.abs(y - water.y) < 8, {
        seeThrough: true,
        bounds: { x: 0, y: 0, width: 160, height: 112 },
      });
      for (const mark of ['A', 'B', 'D'])
        ai.entities(scene.add.zone(map.at(mark).x, map.at(mark).y, 8, 8), { kind: 'thing', id: () => mark });
      ai.entities(scene.add.zone(map.at('H').x, map.at('H').y + 32, 16, 8), { kind: 'curtain', blocksSight: true });
      ai.character('hero', scene.add.zone(map.at('H').x, map.at('H').y, 8, 8), { ...someone, tools: [vision()] });
    });
    const session = await agentOf(headless!);
    const { entities } = (await session.call('vision')) as { entities: { id: string }[] };
    expect(entities.map(({ id }) => id)).toEqual(['curtain_1', 'A']);
    await session.close();
  });
});

describe('entities', () => {
  test('a pooled thing gets a new id for each life, and the old id is gone', async () => {
    let coins!: Phaser.GameObjects.Group;
    await start((scene) => {
      const ai = aiccOf(scene);
      coins = scene.physics.add.group({ classType: Phaser.Physics.Arcade.Sprite, maxSize: 3 });
      ai.entities(coins, { kind: 'coin' });
      ai.character('hero', scene.add.zone(0, 0, 1, 1), { ...someone, tools: [vision(), face()] });
    });
    const session = await agentOf(headless!);
    const ids = async () => ((await session.call('vision')) as { entities: { id: string }[] }).entities.map(({ id }) => id);
    const coin = coins.get(10, 0) as Phaser.Physics.Arcade.Sprite;
    expect(await ids()).toEqual(['coin_1']);
    coins.killAndHide(coin);
    headless!.step();
    expect(await ids()).toEqual([]);
    expect(coins.get(20, 0)).toBe(coin);
    coin.setActive(true);
    expect(await ids()).toEqual(['coin_2']);
    await expect(session.call('face', { target: 'coin_1' })).rejects.toMatchObject({
      code: 'tool_unavailable',
      message: expect.stringContaining('gone'),
    });
    coin.destroy();
    expect(await ids()).toEqual([]);
    coins.destroy();
    headless!.step();
    expect(await ids()).toEqual([]);
    await session.close();
  });

  test('an id() that throws or repeats itself costs no frame and no thing', async () => {
    await start((scene) => {
      const ai = aiccOf(scene);
      const three = [1, 2, 3].map((x) => scene.add.zone(x, 0, 1, 1));
      ai.entities(three, {
        kind: 'coin',
        id: ({ x }) => {
          if (x === 3) throw new Error('no name');
          return 'same';
        },
      });
      ai.character('hero', scene.add.zone(0, 0, 1, 1), { ...someone, tools: [vision()] });
    });
    const session = await agentOf(headless!);
    const { entities } = (await session.call('vision')) as { entities: { id: string }[] };
    expect(entities.map(({ id }) => id)).toEqual(['same', 'same_1', 'coin_1']);
    await session.close();
  });
});

describe('body and face', () => {
  test('body tells position, facing, velocity and state; face turns to a place, a target or an angle', async () => {
    await start((scene) => {
      const ai = aiccOf(scene);
      ai.entities(scene.add.zone(50, 100, 4, 4), { kind: 'door' });
      ai.character('hero', scene.physics.add.sprite(50, 50, 'none'), {
        ...someone,
        tools: [body({ state: () => ({ carrying: 'oil' }) }), face(), moveTo({ speed: 60 })],
      });
      ai.character('voice', null, { description: 'A voice.', tools: [body(), face()] });
    });
    const session = await agentOf(headless!);
    expect(await session.call('body')).toEqual({
      position: { x: 50, y: 50 },
      facing: 1.57,
      velocity: { x: 0, y: 0 },
      doing: 'idle',
      state: { carrying: 'oil' },
    });
    expect(await session.call('face', { x: 0, y: 50 })).toEqual({ facing: 3.14 });
    expect(await session.call('face', { target: 'door_1' })).toEqual({ facing: 1.57 });
    expect(await session.call('face', { angle: 7 })).toEqual({ facing: 0.72 });
    await expect(session.call('face', {})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(session.call('face', { angle: 1, target: 'door_1' })).rejects.toMatchObject({ code: 'invalid_input' });
    const walking = session.call('move_to', { x: 150, y: 50 });
    await headless!.runAsync(100);
    expect(await session.call('body')).toMatchObject({ facing: 0, velocity: { x: 60, y: 0 }, doing: 'walking to (150, 50)' });
    await expect(session.call('face', { angle: 1 })).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    await playUntil(headless!, walking);
    const voice = await agentOf(headless!, { character: 'voice' });
    await expect(voice.call('body')).rejects.toMatchObject({ code: 'tool_unavailable', message: 'this character has no body' });
    await session.close();
    await voice.close();
  });
});

describe('say', () => {
  test('F2: is heard in earshot as audio with its direction and loudness, and shown above the speaker until it has been read', async () => {
    const scenes: Phaser.Scene[] = [];
    let speaker!: Character;
    await start((scene) => {
      scenes.push(scene);
      const ai = aiccOf(scene);
      speaker = ai.character('hero', scene.physics.add.sprite(200, 100, 'none'), { ...someone, tools: [say({ earshot: 100 })] });
      ai.character('near', scene.add.zone(150, 100, 4, 4), { description: 'Near.', tools: [] });
      ai.character('far', scene.add.zone(600, 100, 4, 4), { description: 'Far.', tools: [] });
    });
    const [session, near, far] = await Promise.all(['hero', 'near', 'far'].map((character) => agentOf(headless!, { character })));
    const heard: unknown[] = [];
    near!.on('audio', (payload) => heard.push(payload));
    far!.on('audio', (payload) => heard.push(payload));
    expect(await session!.call('say', { text: 'Hello there!' })).toEqual({ heard_by: ['near'] });
    await headless!.runAsync(50);
    expect(heard).toEqual([{ kind: 'speech', from: 'hero', text: 'Hello there!', distance: 50, bearing: 0, loudness: 0.5 }]);
    const bubbles = () => scenes[0]!.children.list.filter((child) => child instanceof Phaser.GameObjects.Text);
    expect(bubbles().map((bubble) => bubble.text)).toEqual(['Hello there!']);
    (speaker.body!.object as Phaser.GameObjects.Sprite).setPosition(300, 200);
    headless!.step();
    headless!.step();
    expect(bubbles()[0]!.x).toBe(300);
    await session!.call('say', { text: 'And now for something else.' });
    expect(bubbles().map((bubble) => bubble.text)).toEqual(['And now for something else.']);
    await headless!.runAsync(5_000);
    expect(bubbles()).toEqual([]);
    await expect(session!.call('say', { text: '' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(session!.call('say', { text: 'x'.repeat(281) })).rejects.toMatchObject({ code: 'invalid_input' });
    await session!.call('say', { text: 'Last words' });
    scenes[0]!.scene.restart();
    headless!.step();
    headless!.step();
    expect(bubbles()).toEqual([]);
    await Promise.all([session!.close(), near!.close(), far!.close()]);
  });

  test('a voice without a body is heard by everyone, and a game shows it its own way', async () => {
    const shown: string[] = [];
    await start((scene) => {
      const ai = aiccOf(scene);
      ai.character('voice', null, { ...someone, tools: [say({ show: (text, { character }) => shown.push(`${character.id}: ${text}`) })] });
      ai.character('dealer', null, { description: 'Deals.', tools: [] });
    });
    const session = await agentOf(headless!);
    expect(await session.call('say', { text: 'Your turn' })).toEqual({ heard_by: ['dealer'] });
    expect(shown).toEqual(['voice: Your turn']);
    await session.close();
  });
});

describe('interact', () => {
  const lit = new Set<string>();
  let oil = 0;
  const actions: InteractOptions['actions'] = {
    pick_up: {
      description: 'Take a flask of oil.',
      kinds: ['flask'],
      available: () => oil === 0 || 'your hands are full',
      async run(target, context) {
        await context.sleep(200);
        (target.object as Phaser.GameObjects.Zone).destroy();
        oil++;
        return { oil };
      },
    },
    light: {
      description: 'Light a lantern; takes oil.',
      kinds: ['lantern'],
      available: ({ id }) => (lit.has(id) ? 'it burns already' : oil > 0 || 'you need oil: pick up a flask first'),
      run: ({ id }) => {
        oil--;
        if (id !== 'lantern_2') lit.add(id);
      },
      verify: ({ id }) => lit.has(id) || 'the wind blew it out',
    },
    look_at: {
      description: 'Look closely.',
      kinds: ['flask', 'lantern'],
      run() {
        throw new ToolError('tool_unavailable', 'too dark', true);
      },
    },
  };
  const field: Create = (scene) => {
    lit.clear();
    oil = 0;
    const ai = aiccOf(scene);
    ai.entities(scene.add.zone(130, 100, 10, 10), { kind: 'flask' });
    ai.entities([scene.add.zone(100, 120, 10, 10), scene.add.zone(100, 80, 10, 10), scene.add.zone(300, 100, 10, 10)], { kind: 'lantern' });
    ai.entities(scene.add.zone(100, 110, 4, 4), { kind: 'stone' });
    ai.character('hero', scene.add.zone(100, 100, 10, 10), { ...someone, tools: [interact({ actions }), moveTo(), body()] });
  };

  test('does what fits the target, one pair of hands at a time, and says what it did', async () => {
    await start(field);
    const session = await agentOf(headless!);
    const taking = session.call('interact', { target: 'flask_1' });
    await headless!.runAsync(100);
    expect(await session.call('body')).toMatchObject({ doing: 'pick_up flask_1', facing: 0 });
    expect(await playUntil(headless!, taking)).toEqual({ target: 'flask_1', action: 'pick_up', result: { oil: 1 } });
    expect(await session.call('interact', { target: 'lantern_1', action: 'light' })).toEqual({ target: 'lantern_1', action: 'light' });
    expect([...lit]).toEqual(['lantern_1']);
    await session.close();
  });

  test('fails honestly: out of reach, not now, does not fit, gone, unknown, did not happen', async () => {
    await start(field);
    const session = await agentOf(headless!);
    const failing = (input: { target: string; action?: string }) =>
      session.call('interact', input).then(
        () => 'it worked',
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await failing({ target: 'lantern_1', action: 'light' })).toBe('tool_unavailable: light: you need oil: pick up a flask first');
    await playUntil(headless!, session.call('interact', { target: 'flask_1' }));
    expect(await failing({ target: 'flask_1' })).toBe("tool_unavailable: gone: 'flask_1' is no longer there");
    expect(await failing({ target: 'lantern_3' })).toBe(
      'tool_unavailable: \'lantern_3\' is 166 pixels out of reach; go nearer with move_to {"target": "lantern_3"}',
    );
    expect(await failing({ target: 'lantern_1', action: 'pick_up' })).toBe(
      "invalid_input: 'pick_up' does not fit 'lantern_1': you can: light, look_at",
    );
    expect(await failing({ target: 'stone_1' })).toBe("invalid_input: 'stone_1': nothing can be done with a stone");
    expect(await failing({ target: 'moon' })).toBe("invalid_input: there is no 'moon'; name an id that vision shows");
    await expect(session.call('interact', { target: 'moon' })).rejects.toMatchObject({ retryable: false });
    expect(await failing({ target: 'lantern_2' })).toBe('execution_failed: the wind blew it out');
    expect(await failing({ target: 'lantern_1', action: 'look_at' })).toBe('tool_unavailable: too dark');
    expect(await failing({ target: 'lantern_1', action: 'eat' })).toMatch(/^invalid_input: .*\/action/);
    await session.close();
  });

  test('D15: each failure gives its reason in a word', async () => {
    await start(field);
    const session = await agentOf(headless!);
    const reason = (target: string, action?: string) =>
      session.call('interact', { target, ...(action && { action }) }).then(
        () => 'it worked',
        (error) => error.reason,
      );
    expect(await reason('lantern_1', 'light')).toBe('unavailable');
    expect(await reason('lantern_1', 'pick_up')).toBe('does_not_fit');
    expect(await reason('stone_1')).toBe('does_not_fit');
    expect(await reason('hero')).toBe('no_target');
    await playUntil(headless!, session.call('interact', { target: 'flask_1' }));
    expect(await reason('lantern_2')).toBe('unverified');
    await session.close();
  });

  test('an action whose verify() says no without a sentence fails in words', async () => {
    await start((scene) => {
      const open = { description: 'Open it.', run: () => undefined, verify: () => false as never };
      aiccOf(scene).entities(scene.add.zone(100, 120, 10, 10), { kind: 'door' });
      aiccOf(scene).character('hero', scene.add.zone(100, 100, 10, 10), { ...someone, tools: [interact({ actions: { open } })] });
    });
    const session = await agentOf(headless!);
    await expect(session.call('interact', { target: 'door_1' })).rejects.toMatchObject({
      reason: 'unverified',
      message: "'open' could not verify that it happened",
    });
    await session.close();
  });

  test('what move_to stops beside is within reach', async () => {
    await start(field);
    const session = await agentOf(headless!);
    await playUntil(headless!, session.call('interact', { target: 'flask_1' }));
    await playUntil(headless!, session.call('move_to', { target: 'lantern_3' }));
    expect(await session.call('interact', { target: 'lantern_3' })).toMatchObject({ action: 'light' });
    await session.close();
  });

  test('misuse throws where it is written', () => {
    expect(() => interact({ actions: {} })).toThrow(TypeError);
    expect(() => interact({ actions: { open: {} as never } })).toThrow(/open/);
  });
});

describe('controls', () => {
  test('holds the keys that the game itself reads, and lets them go in time, at an abort, and before another call presses', async () => {
    const key = (code: number) => new Phaser.Input.Keyboard.Key(null as never, code);
    const [left, jump] = [key(37), key(38)];
    const downs: number[] = [];
    for (const each of [left, jump]) each.on('down', () => downs.push(each.keyCode));
    const headless = await start((scene) => {
      aiccOf(scene).character('hero', scene.add.zone(0, 0, 1, 1), { ...someone, tools: [controls({ left, jump })] });
    });
    const session = await agentOf(headless);
    const pressing = session.call('controls', { keys: ['left', 'jump'], ms: 200 });
    await headless.runAsync(150);
    expect([left.isDown, jump.isDown, Phaser.Input.Keyboard.JustDown(jump), Phaser.Input.Keyboard.JustDown(jump)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    await playUntil(headless, pressing, 100);
    expect([left.isDown, jump.isDown, left.isUp]).toEqual([false, false, true]);
    const first = session.call('controls', { keys: ['left', 'jump'], ms: 5_000 });
    await turn();
    const second = session.call('controls', { keys: ['left'] });
    await expect(first).rejects.toMatchObject({ message: 'preempted' });
    expect([left.isDown, jump.isDown]).toEqual([true, false]);
    await playUntil(headless, second);
    expect(left.isDown).toBe(false);
    expect(downs).toEqual([37, 38, 37, 38, 37]);
    await expect(session.call('controls', { keys: ['fly'] })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(() => controls({})).toThrow(/at least one key/);
    expect(() => controls({ jump: {} as never })).toThrow(/'jump' is no key/);
    await session.close();
  });
});
