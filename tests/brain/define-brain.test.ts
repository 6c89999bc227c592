import { expect, test } from 'vitest';
import { type BrainSpec, defineBrain } from '../../src/brain/index.ts';
import { scriptedPeer, settled, text } from '../agent/scripted-peer.ts';
import { driveOver } from './drive-over.ts';

/** A brain over a scripted bridge that has opened its session. */
async function driving(start: BrainSpec['start']) {
  const peer = scriptedPeer();
  const reported: unknown[] = [];
  let ended = false;
  peer.ended(() => {
    ended = true;
  });
  const stop = driveOver(defineBrain({ kind: 'test', start }), peer.agentEnd, (thrown) => reported.push(thrown));
  peer.say(text.init());
  await settled();
  return { peer, reported, stop, ended: () => ended };
}

const mistake = new Error('a mistake in a brain');
const fail = () => {
  throw mistake;
};

test('a brain is its kind to everybody but the plugin, and one that cannot work is refused', () => {
  const brain = defineBrain({ kind: 'llm', start: () => () => undefined });
  expect(brain.kind).toBe('llm');
  expect(Object.isFrozen(brain)).toBe(true);
  for (const kind of ['', undefined]) {
    expect(() => defineBrain({ kind: kind as string, start: () => () => undefined })).toThrow(/kind must say/);
  }
  expect(() => defineBrain({ kind: 'llm' } as BrainSpec)).toThrow(/start of 'llm' must be a function/);
});

test('it starts once there is a session, and what it returned is called once when it is stopped', async () => {
  const peer = scriptedPeer();
  const log: string[] = [];
  const spec: BrainSpec & { name: string } = {
    kind: 'test',
    name: 'ann',
    async start(session) {
      log.push(`${this.name} on ${session.world.name}`);
      await settled();
      return () => log.push('stopped');
    },
  };
  const stop = driveOver(defineBrain(spec), peer.agentEnd, fail);
  await settled();
  expect(log).toEqual([]);
  peer.say(text.init());
  await settled();
  await settled();
  stop();
  stop();
  expect(log).toEqual(['ann on hill', 'stopped']);
});

test('stopped before its session is there it never starts; stopped while it starts, it is stopped as soon as it has', async () => {
  const log: string[] = [];
  const early = scriptedPeer();
  driveOver(defineBrain({ kind: 'test', start: () => () => log.push('started') }), early.agentEnd, fail)();
  early.say(text.init());
  await settled();
  expect(log).toEqual([]);

  let begun!: (stop: () => void) => void;
  const { stop } = await driving(() => new Promise((resolve) => (begun = resolve)));
  stop();
  begun(() => log.push('stopped'));
  await settled();
  expect(log).toEqual(['stopped']);
});

test.each<[string, BrainSpec['start']]>([
  ['throws', fail],
  ['rejects', () => Promise.reject(mistake)],
])('a start that %s is reported and ends the session', async (_how, start) => {
  const { reported, ended } = await driving(start);
  expect(reported).toEqual([mistake]);
  expect(ended()).toBe(true);
});

test.each<[string, () => void]>([
  ['throws', fail],
  ['rejects', () => Promise.reject(mistake)],
])('a listener that %s is reported and the session goes on', async (_how, listener) => {
  const { peer, reported, ended } = await driving((session) => session.on('tick', listener));
  peer.say(text.tick(1));
  await settled();
  expect(reported).toEqual([mistake]);
  expect(ended()).toBe(false);
});

test('a stop that throws is reported; calls that end with the session are not', async () => {
  const { peer, reported, stop } = await driving((session) => {
    session.on('tick', async () => void (await session.call('move_to')));
    return fail;
  });
  peer.say(text.tick(1));
  await peer.next();
  stop();
  peer.hangUp(1000, 'over');
  await settled();
  expect(reported).toEqual([mistake]);
});
