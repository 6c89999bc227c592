import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { behaviourTree } from '../../src/brain/index.ts';
import { memoryPair, openDoor } from '../../src/transport/index.ts';
import { settled } from '../agent/scripted-peer.ts';
import { smallWorld } from '../agent/small-world.ts';
import { driveOver } from './drive-over.ts';

test('B6: over a real bridge the tree drives, rests while an agent holds the character, and starts anew when it has left', async () => {
  const { bridge, clock, enter } = smallWorld();
  const [mine, theirs] = memoryPair();
  openDoor(theirs, {
    opener: {
      open: (request, port) => bridge.openYielding(port, 'ann', 'behaviour tree', request),
      onChange: (listener) => bridge.onChange(listener),
    },
    authenticate: () => ({ name: 'in-page' }),
    tokenRequired: false,
    query: {
      ok: true,
      connect: { event_subscriptions: ['tick', 'state_change'], agent_model: { class: 'edge_small', expected_full_response_ms: 0 } },
    },
    clock,
    newId: randomUUID,
  });
  const step = async (count: number) => {
    for (let each = 0; each < count; each++) {
      bridge.advance(100);
      clock.pass(100);
      await settled();
    }
  };
  const log: string[] = [];
  const problems: string[] = [];
  const brain = behaviourTree({
    definition: 'root { sequence { action [Walk] action [Arrive] } }',
    agent: (session, signal) => ({
      Walk() {
        log.push('walk');
        return session.call('walk', { ms: 500 }, { signal: signal() });
      },
      Arrive: async () => void log.push('arrived'),
    }),
    onError: (error) => problems.push(error.message),
  });
  const stop = driveOver(brain, mine, (thrown) => problems.push(String(thrown)));
  await step(10);
  expect(log.slice(0, 3)).toEqual(['walk', 'arrived', 'walk']);

  const agent = await connect({ channel: enter().channel });
  await step(1);
  log.length = 0;
  const walking = agent.call('walk', { ms: 2_000 });
  await step(22);
  expect(await walking).toEqual({ walked: 2_000 });
  expect(log).toEqual([]);

  await agent.close();
  await step(8);
  expect(log.slice(0, 2)).toEqual(['walk', 'arrived']);

  stop();
  log.length = 0;
  await step(20);
  expect([log, problems]).toEqual([[], []]);
});
