import '../../src/headless/install.ts';
import { aiccOf, type Character, defineTool } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { defineBrain } from 'phaser-aicc/brain';
import { afterEach, describe, expect, test } from 'vitest';
import { HiddenPage } from '../../plugin/hidden-page.ts';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentOf, play, someone, turn } from './play.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const nod = defineTool({ id: 'nod', class: 'sensor', description: 'Nod.', run: () => ({ nodded: true }) });

/** A game whose page is hidden, with a driver in the page and nobody else. */
async function hiddenGame(background?: 'run' | 'pause') {
  let hero!: Character;
  const heard: string[] = [];
  const companion = defineBrain({
    kind: 'companion',
    start: (session) => session.on('state_change', ({ kind }) => heard.push(kind)),
  });
  const headless: Headless = await play((scene) => {
    hero = aiccOf(scene).character('hero', null, { ...someone, tools: [nod], maxSessions: 2 });
    hero.drive(companion);
  }, background && { background });
  ends.push(() => headless.destroy());
  await turn();
  headless.game.events.emit('hidden');
  await turn();
  return { headless, heard };
}

describe('E6: a hidden page goes on for agents from outside alone', () => {
  test('E6: with nobody but a driver in the page its world is paused, and goes on before an agent’s first look', async () => {
    const { headless, heard } = await hiddenGame();
    expect(heard).toEqual(['world_paused']);
    const kinds: string[] = [];
    const agent = await agentOf(headless, { subscribe: ['tick', 'state_change'] });
    agent.on('state_change', ({ kind }) => kinds.push(kind));
    expect(await agent.call('nod')).toEqual({ nodded: true });
    expect(agent.snapshot?.available).toEqual({});
    expect(kinds).toEqual([]);
    expect(heard).toEqual(['world_paused', 'world_resumed', 'control_lost']);
  });

  test('E6: it stands still again when the last of them has gone for good', async () => {
    const { headless, heard } = await hiddenGame();
    const agents: Session[] = [await agentOf(headless), await agentOf(headless)];
    heard.length = 0;
    await agents[0]?.close();
    await turn();
    expect(heard).toEqual([]);
    await agents[1]?.close();
    await turn();
    expect(heard).toEqual(['control_gained', 'world_paused']);
    headless.game.events.emit('visible');
    headless.game.events.emit('resume');
    await turn();
    expect(heard.at(-1)).toBe('world_resumed');
  });

  test('E6: with background pause it stands still whoever is there', async () => {
    const { headless } = await hiddenGame('pause');
    const agent = await agentOf(headless);
    await expect(agent.call('nod')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
  });
});

describe('E6: the frames of a hidden page', () => {
  /** A game that runs by its own loop in a page that is hidden. `beats` tells of each beat. */
  async function runningGame() {
    const headless = await createHeadless({ scene: { key: 'field' } });
    const { game } = headless;
    game.loop.wake();
    let frames = 0;
    game.events.on('prestep', () => frames++);
    let told: () => void = () => undefined;
    const page = new HiddenPage(game, {
      background: 'run',
      workerUrl: undefined,
      frameMs: 5,
      framesPerBeat: 1,
      beat: () => told(),
      log: () => undefined,
      paused: () => undefined,
    });
    ends.push(
      () => page.close(),
      () => headless.destroy(),
    );
    game.events.emit('hidden');
    const beats = async (count: number) => {
      for (let n = 0; n < count; n++) await new Promise<void>((resolve) => (told = resolve));
      await turn();
    };
    const framesIn = async (count: number) => {
      frames = 0;
      await beats(count);
      return frames;
    };
    return { game, page, framesIn };
  }

  test('E6: none are made while no agent is there; with one they are, and the loop goes on by itself once the page is shown', async () => {
    const { game, page, framesIn } = await runningGame();
    expect(await framesIn(2)).toBe(0);
    page.attend(true);
    expect(game.loop.running).toBe(false);
    expect(await framesIn(4)).toBeGreaterThan(0);
    page.attend(false);
    expect(await framesIn(2)).toBe(0);
    game.events.emit('visible');
    game.events.emit('resume');
    expect(game.loop.running).toBe(true);
  });
});
