import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { type AiccOptions, aicc, aiccOf, type SceneAicc } from 'phaser-aicc';
import { body, interact, moveTo, say, vision } from 'phaser-aicc/kit';
import { aicc as localAicc } from 'phaser-aicc/local';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { play, someone } from './play.ts';

/** As plain JavaScript calls it. */
type Loose = (...args: unknown[]) => unknown;
const loose = (call: unknown) => call as Loose;

describe('a mistake in plain JavaScript throws where it is written, and says how to mend it', () => {
  test.each<[string, () => unknown, string]>([
    ['no options', () => loose(aicc)(), 'aicc({ world }): world must be a name'],
    ['a name for the options', () => loose(aicc)('hill'), "aicc(options): the options must be an object, like { world: … }, not 'hill'"],
    [
      'a misspelled option',
      () => loose(aicc)({ world: 'w', tickmode: 'event' }),
      "aicc(options): there is no option 'tickmode': did you mean 'tickMode'?",
    ],
    [
      'letters that changed places',
      () => loose(localAicc)({ wrold: 'w' }),
      "aicc(options): there is no option 'wrold': did you mean 'world'?",
    ],
    [
      'an option that nobody knows',
      () => loose(localAicc)({ world: 'w', gravity: 1 }),
      "there is no option 'gravity'; there are world, tickMode, freeze",
    ],
    [
      'a rate in a string',
      () => loose(aicc)({ world: 'w', tickRateHz: '10' }),
      "aicc(options): tickRateHz must be a number above 0, not '10'",
    ],
    ['a rate that is no number', () => aicc({ world: 'w', tickRateHz: Number.NaN }), 'tickRateHz must be a number above 0, not NaN'],
    ['a log that is no function', () => loose(aicc)({ world: 'w', log: true }), 'log must be a function, not true'],
    ['a mode that there is not', () => aicc({ world: 'w', tickMode: 'turns' } as unknown as AiccOptions), "tickMode must be 'fixed'"],
    [
      'a relay without a scheme',
      () => aicc({ world: 'w', relay: '127.0.0.1:4750' }),
      "relay must be a WebSocket address (ws: or wss:), like 'wss://relay.example/game'",
    ],
    [
      'a relay by its host',
      () => aicc({ world: 'w', relay: 'relay.example/game' }),
      "aicc({ relay: 'relay.example/game' }): relay must be a WebSocket address",
    ],
    ['a number for a relay', () => loose(aicc)({ world: 'w', relay: 4750 }), "aicc({ relay: '4750' }): relay must be a WebSocket address"],
    ['a number for options', () => loose(vision)(240), 'vision(options): the options must be an object, like { radius: … }, not 240'],
    ['null for options', () => loose(body)(null), 'body(options): the options must be an object, like { state: … }, not null'],
    ['a negative speed', () => moveTo({ speed: -5 }), 'moveTo(options): speed must be a number of at least 0 or a function, not -5'],
    ['a speed that is no number', () => moveTo({ speed: Number.NaN }), 'speed must be a number of at least 0 or a function, not NaN'],
    ['a speed in a string', () => loose(moveTo)({ speed: '120' }), "speed must be a number of at least 0 or a function, not '120'"],
    ['a misspelled earshot', () => loose(say)({ earshoot: 5 }), "say(options): there is no option 'earshoot': did you mean 'earshot'?"],
    ['no actions', () => loose(interact)(), 'interact({ actions }): name at least one action'],
    [
      'a misspelled part of an action',
      () => loose(interact)({ actions: { light: { description: 'Lights.', run() {}, kind: ['lamp'] } } }),
      "interact({ actions: { light } }): there is no option 'kind': did you mean 'kinds'?",
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('so does one in a scene', () => {
  let headless: Headless;
  let scene: Phaser.Scene;
  let ai: Record<keyof SceneAicc, Loose>;
  let sprite: Phaser.GameObjects.Sprite;
  const tools = [vision()];

  beforeAll(async () => {
    headless = await play((made) => {
      scene = made;
      sprite = made.add.sprite(1, 1, '__WHITE');
      ai = aiccOf(made) as unknown as typeof ai;
    });
  });
  afterAll(() => headless.destroy());

  test.each<[string, () => unknown, string]>([
    [
      'no options',
      () => ai.character('a', sprite),
      "character('a', body, options): the options are missing; give { description: 'who it is', tools: [vision(), moveTo()] }",
    ],
    ['no body', () => ai.character('a', undefined, { ...someone, tools }), 'or null for a role without one, not undefined'],
    [
      'a destroyed body',
      () => {
        const gone = scene.add.sprite(1, 1, '__WHITE');
        gone.destroy();
        return ai.character('a', gone, { ...someone, tools });
      },
      "character('a', body): this body has been destroyed; give one that lives",
    ],
    [
      'a misspelled option',
      () => ai.character('a', sprite, { ...someone, tools, defualt: true }),
      "character 'a': there is no option 'defualt': did you mean 'default'?",
    ],
    ['no tools', () => ai.character('a', sprite, someone), "character 'a': tools must be an array of tools, like [vision(), moveTo()]"],
    ['one tool', () => ai.character('a', sprite, { ...someone, tools: vision() }), "character 'a': tools must be an array, not an object"],
    ['a tool that was not called', () => ai.character('a', sprite, { ...someone, tools: [vision] }), 'call it first, like vision()'],
    [
      'a tool of nobody',
      () => ai.character('a', sprite, { ...someone, tools: [{ id: 'x', class: 'sensor' }] }),
      'tools must be made by defineTool or the kit',
    ],
    [
      'two tools of one id',
      () => ai.character('a', sprite, { ...someone, tools: [vision(), vision()] }),
      "the tool id 'vision' is there twice",
    ],
    [
      'half a session',
      () => ai.character('a', sprite, { ...someone, tools, maxSessions: 1.5 }),
      'maxSessions must be a whole number of at least 1, not 1.5',
    ],
    ['a misspelled kind', () => ai.entities(sprite, { knd: 'coin' }), 'entities(…, { kind: undefined }): kind must be a short noun'],
    ['an id that is no function', () => ai.entities(sprite, { kind: 'coin', id: 'coin_1' }), "id must be a function, not 'coin_1'"],
    [
      'an option of nothing',
      () => ai.entities(sprite, { kind: 'coin', stat: () => 1 }),
      "there is no option 'stat': did you mean 'state'?",
    ],
    ['a map of cells', () => ai.map(() => false, { cell: -16 }), 'map(walls, options): cell must be a number above 0, not -16'],
    [
      'a map option that there is not',
      () => ai.map(() => false, { seethrough: true }),
      "there is no option 'seethrough': did you mean 'seeThrough'?",
    ],
  ])('%s', (_what, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  test('in what a character tells or asks', () => {
    const character = aiccOf(scene).character('told', sprite, { ...someone, tools });
    expect(() => loose(character.emit.bind(character))('audio', {}, { dataclass: 'x' })).toThrow(
      "there is no option 'dataclass': did you mean 'dataClass'?",
    );
    const ask = loose(character.ask.bind(character));
    const question = { prompt: 'Where?', tools: ['vision'], deadlineMs: 5, fallback: { tool: 'vision', input: {} } };
    expect(() => ask({ ...question, deadline: 5 })).toThrow("ask('told'): there is no option 'deadline': did you mean 'deadlineMs'?");
    expect(() => ask({ ...question, deadlineMs: Number.POSITIVE_INFINITY })).toThrow(
      'deadlineMs must be a number of at least 0, not Infinity',
    );
    expect(() => ask({ ...question, prompt: undefined })).toThrow('prompt must say what is to be decided');
    expect(() => ask({ ...question, fallback: undefined })).toThrow('fallback must say when who acts');
    expect(() => loose(character.on.bind(character))('drivers', () => undefined)).toThrow(
      "a character tells about 'driver', not 'drivers'",
    );
  });
});
