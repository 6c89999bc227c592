import '../../src/headless/install.ts';
import { aiccOf, type Brain, type Character, type Decision, defineTool } from 'phaser-aicc';
import { defineBrain } from 'phaser-aicc/brain';
import { afterEach, describe, expect, test } from 'vitest';
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

const played: string[] = [];
const playCard = defineTool({
  id: 'play_card',
  class: 'actuator',
  description: 'Play a card from your hand',
  input: { type: 'object', properties: { card: { type: 'string' } }, required: ['card'] },
  run: async ({ card }, context) => {
    played.push(card);
    await context.sleep(300);
    return { played: card };
  },
});
const pass = defineTool({ id: 'pass', class: 'actuator', description: 'Pass', run: () => ({ passed: true }) });

async function duel(world: Parameters<typeof play>[1] = {}) {
  let rival!: Character;
  const headless = keep(
    await play((scene) => {
      rival = aiccOf(scene).character('rival', null, { ...someone, tools: [playCard, pass] });
    }, world),
  );
  return { headless, rival: rival };
}

const question = { prompt: 'Your turn.', tools: ['play_card', 'pass'], state: { hand: ['king', 'ten'] }, deadlineMs: 60_000 };
const fallback = { tool: 'pass', input: {} };

describe('D18: one decision', () => {
  test('an agent that is asked decides; what it chose is done in the world before the answer comes', async () => {
    const { headless, rival } = await duel({ tickMode: 'event', freeze: false });
    const session = await agentOf(headless);
    const asked: unknown[] = [];
    session.on('state_change', (payload) => {
      asked.push(payload);
      void session.call('decide', { ask_id: String(payload.ask_id), tool: 'play_card', input: { card: 'king' } }).catch(() => undefined);
    });
    const decided = await playUntil(headless, rival.ask({ ...question, fallback }));
    expect(decided).toEqual({ call: { tool: 'play_card', input: { card: 'king' } }, by: 'agent', output: { played: 'king' } });
    expect(asked).toMatchObject([
      { kind: 'decision', prompt: 'Your turn.', tools: ['play_card', 'pass'], state: { hand: ['king', 'ten'] } },
    ]);
    await session.close();
  });

  test('a brain in the page answers as builtin, and with nobody there the fallback acts at once', async () => {
    const { headless, rival } = await duel();
    expect(await rival.ask({ ...question, fallback: () => fallback })).toEqual({
      call: fallback,
      by: 'fallback',
      output: { passed: true },
    });
    rival.drive(
      defineBrain({
        kind: 'careful',
        start: (session) =>
          session.on('state_change', ({ ask_id }) => void session.call('decide', { ask_id: String(ask_id), tool: 'pass', input: {} })),
      }),
    );
    await turn();
    expect(await playUntil(headless, rival.ask({ ...question, fallback }))).toMatchObject({ by: 'builtin' });
  });

  test('a question that nobody could answer throws at the call; one about a character that is gone rejects', async () => {
    const { headless, rival } = await duel();
    expect(() => rival.ask({ ...question, tools: ['fly'], fallback })).toThrow(/no tool 'fly'/);
    expect(() => rival.ask({ ...question, tools: [], fallback })).toThrow(/tools/);
    await expect(rival.ask({ ...question, fallback: { tool: 'fly', input: {} } })).rejects.toMatchObject({ code: 'tool_unknown' });
    headless.game.scene.scenes[0]!.scene.stop();
    headless.step();
    await expect(rival.ask({ ...question, fallback })).rejects.toMatchObject({
      code: 'tool_unavailable',
      message: expect.stringContaining('gone'),
    });
  });

  test('1,000 questions answered at random moments around their deadline: exactly one of agent and fallback acts', async () => {
    const random = seededRandom('late or not');
    const acted = new Map<string, string[]>();
    const act = defineTool({
      id: 'act',
      class: 'actuator',
      description: 'Act.',
      input: { type: 'object', properties: { turn: { type: 'string' }, who: { type: 'string' } }, required: ['turn', 'who'] },
      run: ({ turn: of, who }) => {
        acted.set(of, [...(acted.get(of) ?? []), who]);
      },
    });
    const { headless, rival } = await duel();
    rival.setTools([act]);
    const session = await agentOf(headless);
    const answers: Promise<unknown>[] = [];
    session.on('state_change', ({ ask_id, state }) => {
      const answer = { ask_id: String(ask_id), tool: 'act', input: { turn: String((state as { turn: string }).turn), who: 'agent' } };
      const delay = random() * 12;
      const send = () =>
        session
          .call('decide', answer)
          .catch(({ code, retryable }) => expect({ code, retryable }).toEqual({ code: 'tool_unavailable', retryable: false }));
      answers.push(delay < 1 ? send() : new Promise((resolve) => setTimeout(resolve, delay)).then(send));
    });
    const by = { agent: 0, builtin: 0, fallback: 0 };
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 50 }, (_, index) => {
        const name = `${round}/${index}`;
        return rival
          .ask({
            prompt: name,
            tools: ['act'],
            state: { turn: name },
            deadlineMs: random() * 12,
            fallback: { tool: 'act', input: { turn: name, who: 'fallback' } },
          })
          .then((decision: Decision) => {
            by[decision.by]++;
            expect(acted.get(name)).toEqual([decision.by]);
          });
      });
      await Promise.all(asked);
    }
    await playUntil(headless, Promise.all(answers));
    expect(answers).toHaveLength(1_000);
    expect(acted.size).toBe(1_000);
    expect([...acted.values()].every((who) => who.length === 1)).toBe(true);
    expect(by.agent).toBeGreaterThan(50);
    expect(by.fallback).toBeGreaterThan(50);
    await session.close();
  });
});

describe('a lost driver', () => {
  const run = defineTool({ id: 'run', class: 'actuator', description: 'Run off.', run: (_input, { body }) => body.move?.(100, 0) });

  async function runner(fallbackOption: { fallback?: 'stop' | 'hold' | Brain }) {
    let hero!: Character;
    const scene = sceneOf((made) => {
      hero = aiccOf(made).character('hero', made.physics.add.sprite(0, 0, 'none'), { ...someone, ...fallbackOption, tools: [run] });
    });
    const headless = keep(await playScene(scene));
    return { headless, scene, hero: () => hero };
  }

  test('lets the body stand still, or hold its course', async () => {
    for (const [option, speed] of [
      [{}, 0],
      [{ fallback: 'stop' }, 0],
      [{ fallback: 'hold' }, 100],
    ] as const) {
      const { headless, hero } = await runner(option);
      const session = await agentOf(headless);
      await session.call('run');
      await headless.runAsync(100);
      expect(hero().body?.velocity?.().x).toBe(100);
      await session.close();
      await headless.runAsync(100);
      expect(hero().body?.velocity?.().x).toBe(speed);
    }
  });

  test('lets a driver in the page step in, also after another one of the page has ended', async () => {
    const brain = (kind: string): Brain => defineBrain({ kind, start: () => () => undefined });
    const { headless, hero } = await runner({ fallback: brain('instinct') });
    await turn();
    expect(hero().mind).toBe('instinct');
    hero().drive(brain('plan'));
    await turn();
    expect(hero().mind).toBe('plan');
    hero().drive(null);
    await turn();
    expect(hero().mind).toBe('instinct');
    hero().drive(
      defineBrain({
        kind: 'short-lived',
        start(session) {
          void session.close();
          return () => undefined;
        },
      }),
    );
    await headless.runAsync(200);
    expect(hero().mind).toBe('instinct');
  });
});
