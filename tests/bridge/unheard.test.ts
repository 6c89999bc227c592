import { describe, expect, test } from 'vitest';
import { TestWorld } from '../fixtures/bridge-world.ts';

const say = (world: TestWorld, text: string, options?: { dataClass?: string }) =>
  world.mira.emit('agent_message', { from: 'player', text }, options);
const texts = (agent: { heard(topic: 'agent_message'): { [key: string]: unknown }[] }) =>
  agent.heard('agent_message').map(({ text }) => text);

describe('F5: words to a character that nobody hears', () => {
  test('F5: they wait for the next session, which is told them in order, before what is said later, and once', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    say(world, 'one');
    say(world, 'two');
    const first = world.open();
    say(world, 'three');
    const second = world.open();
    expect(texts(first)).toEqual(['one', 'two', 'three']);
    expect(texts(second)).toEqual([]);
  });

  test('F5: the driver in the page is told them too', () => {
    const world = new TestWorld();
    say(world, 'before the mind is loaded');
    expect(texts(world.openYielding())).toEqual(['before the mind is loaded']);
  });

  test('F5: a session that did not subscribe takes none of them away', () => {
    const world = new TestWorld([], { mira: { maxSessions: 3 } });
    say(world, 'one');
    const deaf = world.open({ event_subscriptions: ['audio'] });
    say(world, 'two');
    expect(texts(deaf)).toEqual([]);
    expect(texts(world.open())).toEqual(['one', 'two']);
  });

  test('F5: while its body is away they wait as well', () => {
    const world = new TestWorld();
    world.mira.unbind();
    say(world, 'between two lives');
    expect(texts(world.open())).toEqual(['between two lives']);
  });

  test('F5: other events do not wait', () => {
    const world = new TestWorld();
    world.mira.emit('audio', { n: 1 });
    world.mira.emit('state_change', { kind: 'rain' });
    expect(world.open().events).toEqual([]);
  });

  test('F5: 256 wait, beyond that the oldest goes', () => {
    const world = new TestWorld();
    for (let n = 0; n < 257; n++) say(world, `${n}`);
    expect(texts(world.open())).toEqual(Array.from({ length: 256 }, (_, n) => `${n + 1}`));
  });

  test('F5: 8 MiB of them wait, beyond that the oldest go', () => {
    const world = new TestWorld();
    const long = 'x'.repeat(900_000);
    for (let n = 0; n < 20; n++) say(world, `${n} ${long}`);
    const agent = world.open();
    for (let portions = 0; portions < 50; portions++) world.clock.pass(100);
    expect(texts(agent).map((text) => Number.parseInt(String(text), 10))).toEqual(Array.from({ length: 9 }, (_, n) => n + 11));
  });

  test('F5, C5: many of them leave in portions, and what is said meanwhile comes after them', () => {
    const world = new TestWorld();
    const long = 'x'.repeat(200_000);
    for (let n = 0; n < 10; n++) say(world, `${n} ${long}`);
    const agent = world.open();
    const told = () => texts(agent).map((text) => Number.parseInt(String(text), 10));
    expect(told()).toEqual([0, 1]);
    say(world, '10');
    expect(told()).toEqual([0, 1]);
    for (let portions = 0; portions < 12; portions++) world.clock.pass(100);
    expect(told()).toEqual(Array.from({ length: 11 }, (_, n) => n));
  });

  test('F5, C5: what is said while its agent is away reaches the agent when it resumes, and else the next one', async () => {
    const world = new TestWorld();
    const lost = world.open();
    lost.send({ type: 'heartbeat' });
    lost.handler.closed(false);
    say(world, 'one');
    const back = world.resume(lost);
    expect(texts(back)).toEqual(['one']);
    back.handler.closed(false);
    say(world, 'two');
    await world.frame(60_000);
    expect(texts(world.open())).toEqual(['two']);
  });
});
