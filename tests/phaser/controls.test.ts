import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { aicc, aiccOf } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { controls } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentOf, playUntil, sceneOf, someone, turn } from './play.ts';

type Cursors = Phaser.Types.Input.Keyboard.CursorKeys;
const { DownDuration, JustDown, UpDuration } = Phaser.Input.Keyboard;

interface Field {
  headless: Headless;
  scene: Phaser.Scene;
  keyboard: Phaser.Input.Keyboard.KeyboardPlugin;
  cursors: Cursors;
  session: Session;
}

let headless: Headless | undefined;
afterEach(() => {
  headless?.destroy();
  headless = undefined;
});

const turnOff = (what: { enabled: boolean }) => Object.assign(what, { enabled: false });

let worlds = 0;

/** A hero driven by the cursor keys, in a game with a keyboard; `other` is a second scene that runs beside. */
async function play(more: (scene: Phaser.Scene, cursors: Cursors) => void = () => undefined): Promise<Field> {
  let cursors: Cursors | undefined;
  const field = sceneOf((scene) => {
    cursors = scene.input.keyboard!.createCursorKeys();
    const { left, up } = cursors;
    aiccOf(scene).character('hero', scene.add.zone(0, 0, 1, 1), { ...someone, tools: [controls({ left, jump: up })] });
    more(scene, cursors);
  });
  headless = await createHeadless({
    scene: [field, sceneOf((scene) => void scene.input.keyboard!.addKey('LEFT'), 'other')],
    input: { keyboard: true },
    plugins: { global: [aicc({ world: `keys_${++worlds}` })] },
  });
  headless.game.scene.start('other');
  headless.step();
  const session = await agentOf(headless);
  return { headless, scene: field, keyboard: field.input.keyboard!, cursors: cursors!, session };
}

describe('controls', () => {
  test('tells which keys it held and for how long', async () => {
    const { headless, session } = await play();
    const held = await playUntil(headless, session.call('controls', { keys: ['left', 'jump'], ms: 200 }));
    expect(held).toEqual({ pressed: ['left', 'jump'], ms: expect.toSatisfy((ms: number) => ms >= 200 && ms <= 220) });
  });

  test('a key knows how long it is down by the clock that the game asks, is just down once, and is just up after', async () => {
    const { headless, cursors, session } = await play();
    headless.run(850);
    const holding = session.call('controls', { keys: ['jump'], ms: 1_000 });
    await turn();
    await headless.runAsync(200);
    expect(cursors.up.getDuration()).toBeCloseTo(200, 5);
    expect([DownDuration(cursors.up, 250), DownDuration(cursors.up, 150)]).toEqual([true, false]);
    expect([JustDown(cursors.up), JustDown(cursors.up)]).toEqual([true, false]);
    await playUntil(headless, holding);
    expect(cursors.up.duration).toBeCloseTo(1_000, -2);
    expect([cursors.up.getDuration(), UpDuration(cursors.up, 100)]).toEqual([0, true]);
    headless.run(200);
    expect(UpDuration(cursors.up, 100)).toBe(false);
  });

  test('a key knows it as well where something else than its loop makes the frames, as behind a hidden page', async () => {
    const { headless, cursors, session } = await play();
    const holding = session.call('controls', { keys: ['jump'], ms: 200 });
    await turn();
    for (let frame = 1; frame <= 10; frame++) headless.game.headlessStep(frame * 10, 10);
    expect(cursors.up.getDuration()).toBeCloseTo(100, 5);
    await playUntil(headless, holding);
  });

  test('everything that listens to the keyboard hears it, in every scene, with what a DOM event has', async () => {
    const heard: string[] = [];
    const { headless, session, scene, cursors } = await play((scene, { up }) => {
      up.on('down', (_key: unknown, event: KeyboardEvent) => heard.push(`${event.key} ${event.code} ${event.keyCode} ${event.repeat}`));
      scene.input.keyboard!.on('keydown-UP', () => heard.push('keydown-UP'));
      scene.input.keyboard!.on('keydown', ({ shiftKey }: KeyboardEvent) => heard.push(`keydown ${shiftKey}`));
      scene.input.keyboard!.on('keyup', () => heard.push('keyup'));
    });
    scene.scene.get('other').input.keyboard!.on('keydown-UP', () => heard.push('other'));
    await playUntil(headless, session.call('controls', { keys: ['jump'] }));
    expect(heard).toEqual(['ArrowUp ArrowUp 38 false', 'keydown-UP', 'keydown false', 'other', 'keyup']);
    expect(cursors.up.originalEvent.type).toBe('keyup');
  });

  test('what a listener does with the event, or throws, does not fail the call', async () => {
    const { headless, session, cursors } = await play((_scene, { up, left }) => {
      up.on('down', (_key: unknown, event: KeyboardEvent) => {
        event.preventDefault();
        event.stopPropagation();
        event.stopImmediatePropagation();
        expect([event.defaultPrevented, event.getModifierState('Shift'), event.composedPath()]).toEqual([true, false, []]);
      });
      left.on('down', () => {
        throw new Error('a mistake of the game');
      });
    });
    const holding = session.call('controls', { keys: ['jump', 'left'] });
    await turn();
    expect([cursors.up.isDown, cursors.left.isDown]).toEqual([true, true]);
    expect(await playUntil(headless, holding)).toMatchObject({ pressed: ['jump', 'left'] });
  });

  test.each<[string, (field: Field) => void]>([
    ['the game has disabled it', ({ cursors }) => turnOff(cursors.up)],
    ['the game has turned its keyboard off', ({ keyboard }) => turnOff(keyboard)],
    ['the game has turned its keyboard off', ({ headless }) => turnOff(headless.game.input.keyboard!)],
    ['the game has removed it', ({ keyboard }) => void keyboard.removeKey('UP')],
    ['the game has removed it', ({ keyboard }) => void keyboard.removeAllKeys(true)],
  ])('a key that cannot be pressed is told, and nothing is pressed: %s', async (why, disable) => {
    const field = await play();
    disable(field);
    await expect(field.session.call('controls', { keys: ['left', 'jump'] })).rejects.toMatchObject({
      code: 'tool_unavailable',
      retryable: true,
      reason: 'disabled',
      message: expect.stringContaining(why),
    });
    expect(field.cursors.left.isDown).toBe(false);
  });

  test('of a scene that takes no keys it says so', async () => {
    const { session, scene, headless } = await play((scene) => {
      const tools = [controls({ left: scene.scene.get('other').input.keyboard!.addKey('LEFT') })];
      aiccOf(scene).character('ghost', null, { description: 'A ghost.', tools });
    });
    await session.close();
    const ghost = await agentOf(headless, { character: 'ghost' });
    for (const [rest, word] of [
      ['pause', 'paused'],
      ['sleep', 'asleep'],
    ] as const) {
      scene.scene[rest]('other');
      headless.step();
      await expect(ghost.call('controls', { keys: ['left'] })).rejects.toMatchObject({
        message: expect.stringContaining(`its scene 'other' is ${word}`),
      });
      scene.scene.run('other');
      headless.step();
    }
    scene.scene.stop('other');
    headless.step();
    await expect(ghost.call('controls', { keys: ['left'] })).rejects.toMatchObject({ reason: 'disabled' });
  });

  test.each<[string, (field: Field) => void]>([
    ['the window loses the focus', ({ headless }) => headless.game.events.emit('blur')],
    ['the game resets it', ({ cursors }) => cursors.up.reset()],
    ['it is disabled', ({ cursors }) => turnOff(cursors.up)],
    ['the keyboard is turned off', ({ keyboard }) => turnOff(keyboard)],
    ['it is destroyed', ({ keyboard }) => void keyboard.removeKey('UP', true)],
    ['it is made anew', ({ keyboard }) => void keyboard.removeKey('UP', true).addKey('UP')],
  ])('a press that ends early is told, with how long it was, and no key stays down: %s', async (_what, interrupt) => {
    const field = await play();
    const { headless, session, cursors } = field;
    const holding = session.call('controls', { keys: ['left', 'jump'], ms: 500 });
    await headless.runAsync(100);
    interrupt(field);
    await expect(playUntil(headless, holding, 100)).rejects.toMatchObject({
      code: 'execution_failed',
      retryable: true,
      reason: 'interrupted',
      message: expect.stringMatching(/^left and jump held for 1\d\d of 500 ms: /),
    });
    expect([cursors.left.isDown, cursors.up.isDown]).toEqual([false, false]);
  });

  test.each<[string, string, (field: Field) => void]>([
    ['its scene is paused', "its scene 'field' is paused", ({ scene }) => void scene.scene.pause()],
    ['its scene is put to sleep', "its scene 'field' is asleep", ({ scene }) => void scene.scene.sleep()],
    ['the whole game is paused', 'the game was paused', ({ headless }) => headless.game.pause()],
  ])('E6: a press in which time comes to stand still is answered then, not after the pause: %s', async (_what, why, pause) => {
    const field = await play();
    const { headless, session, cursors } = field;
    const holding = session.call('controls', { keys: ['left', 'jump'], ms: 500 });
    await headless.runAsync(100);
    pause(field);
    // Phaser pauses a scene in its next frame.
    if (!headless.game.isPaused) headless.step();
    await expect(holding).rejects.toMatchObject({
      code: 'execution_failed',
      retryable: true,
      reason: 'interrupted',
      message: expect.stringMatching(new RegExp(`^left and jump held for \\d+ of 500 ms: 'left' went up, ${why}$`)),
    });
    expect([cursors.left.isDown, cursors.up.isDown]).toEqual([false, false]);
  });

  test('E6: a key that itself pauses the game is let go at once, and the press is told as it was', async () => {
    const { session, cursors, headless } = await play((scene, { up }) => {
      up.on('down', () => scene.scene.pause());
    });
    const holding = session.call('controls', { keys: ['jump'], ms: 500 });
    await turn();
    headless.step();
    await expect(holding).rejects.toMatchObject({
      reason: 'interrupted',
      message: "jump held for 0 of 500 ms: 'jump' went up, its scene 'field' is paused",
    });
    expect(cursors.up.isDown).toBe(false);
  });

  test('E6: a pause after a press, or between two, fails no call', async () => {
    const { session, scene, headless } = await play();
    for (let time = 0; time < 2; time++) {
      await playUntil(headless, session.call('controls', { keys: ['jump'] }));
      scene.scene.pause();
      headless.step();
      scene.scene.resume();
      headless.step();
    }
    expect(await playUntil(headless, session.call('controls', { keys: ['jump'] }))).toMatchObject({ pressed: ['jump'] });
  });

  test('a key of the game that no keyboard knows is let go in a pause, too', async () => {
    const own = new Phaser.Input.Keyboard.Key(undefined as never, 32);
    const { session, scene, headless } = await play((made) => {
      aiccOf(made).character('ghost', null, { description: 'A ghost.', tools: [controls({ fire: own })] });
    });
    await session.close();
    const ghost = await agentOf(headless, { character: 'ghost' });
    const holding = ghost.call('controls', { keys: ['fire'], ms: 500 });
    await turn();
    expect(own.isDown).toBe(true);
    scene.scene.pause();
    headless.step();
    await expect(holding).rejects.toMatchObject({ reason: 'interrupted', message: expect.stringContaining('the game was paused') });
    expect(own.isDown).toBe(false);
  });

  test('a key that the game has made anew is pressed in place of the old one', async () => {
    const { headless, session, keyboard } = await play();
    keyboard.removeKey('UP', true);
    const again = keyboard.addKey('UP');
    const holding = session.call('controls', { keys: ['jump'] });
    await turn();
    expect(again.isDown).toBe(true);
    await playUntil(headless, holding);
    expect(again.isDown).toBe(false);
  });

  test('a scene that starts anew because of the press ends the call, and leaves no key down', async () => {
    const { session, headless, keyboard } = await play((scene, { up }) => {
      up.on('down', () => scene.scene.restart());
    });
    await expect(playUntil(headless, session.call('controls', { keys: ['jump', 'left'], ms: 1_000 }))).rejects.toMatchObject({
      reason: 'gone',
    });
    headless.run(100);
    expect(keyboard.keys.filter((key) => key?.isDown)).toEqual([]);
  });

  test('a scene that stops the event before it reaches the key is told', async () => {
    const { session, headless } = await play((scene) => {
      const tools = [controls({ left: scene.scene.get('other').input.keyboard!.addKey('LEFT') })];
      aiccOf(scene).character('ghost', null, { description: 'A ghost.', tools });
      scene.input.keyboard!.on('keydown-LEFT', (event: KeyboardEvent) => event.stopPropagation());
    });
    await session.close();
    const ghost = await agentOf(headless, { character: 'ghost' });
    await expect(ghost.call('controls', { keys: ['left'] })).rejects.toMatchObject({
      reason: 'disabled',
      message: "'left' was not pressed: something in the game stopped the event",
    });
  });
});
