import { expect, onTestFinished, test } from 'vitest';
import { type BehaviourTreeOptions, behaviourTree, State } from '../../src/brain/index.ts';
import { scriptedPeer, settled, text } from '../agent/scripted-peer.ts';
import { driveOver } from './drive-over.ts';

/** A tree that drives over a scripted bridge: `tick(n)` sends n ticks of 100 ms of world time each. */
async function driven(definition: string, agent: BehaviourTreeOptions['agent'], more: Partial<BehaviourTreeOptions> = {}) {
  const peer = scriptedPeer();
  const problems: string[] = [];
  const reported: unknown[] = [];
  const brain = behaviourTree({ definition, agent, onError: (error) => problems.push(error.message), ...more });
  const stop = driveOver(brain, peer.agentEnd, (thrown) => reported.push(thrown));
  peer.say(text.init());
  await settled();
  onTestFinished(() => peer.hangUp(1000, ''));
  let now = 0;
  const tick = async (count = 1) => {
    for (let each = 0; each < count; each++) {
      peer.say(text.tick(now++));
      await settled();
    }
  };
  const lose = () => peer.say(text.event('state_change', '{"kind":"control_lost"}'));
  const gain = () => peer.say(text.event('state_change', '{"kind":"control_gained"}'));
  return { peer, problems, reported, stop, tick, lose, gain };
}

test('E4: the tree steps once a tick and an action that returns a promise is done when the call is', async () => {
  const done: string[] = [];
  const { peer, tick } = await driven('root { sequence { action [Walk] action [Cheer] } }', (session) => ({
    Walk: () => session.call('move_to', { x: 5, y: 5 }),
    Cheer: () => {
      done.push('cheer');
      return State.SUCCEEDED;
    },
  }));
  await tick(3);
  const walk = await peer.next();
  expect(walk).toMatchObject({ tool: 'move_to', input: { x: 5, y: 5 } });
  expect([peer.unread(), done]).toEqual([[], []]);
  peer.say(text.result(walk.call_id, '{}'));
  await settled();
  await tick();
  expect(done).toEqual(['cheer']);
});

test('a failed call and a promise of false fail the action, and a failed call is no error', async () => {
  const done: string[] = [];
  const { peer, tick, problems } = await driven('root { selector { action [Walk] action [Refuse] action [Rest] } }', (session) => ({
    Walk: () => session.call('move_to'),
    Refuse: async () => false,
    Rest: () => {
      done.push('rest');
      return State.SUCCEEDED;
    },
  }));
  await tick();
  peer.say(text.failure((await peer.next()).call_id, 'execution_failed', 'unreachable', false));
  await tick(3);
  expect(done).toEqual(['rest']);
  expect(problems).toEqual([]);
});

test('wait and stepMs count world time, not the clock on the wall', async () => {
  const at: number[] = [];
  let ticks = 0;
  const { tick } = await driven(
    'root { sequence { wait [600] action [Note] } }',
    () => ({
      Note: () => {
        at.push(ticks);
        return State.SUCCEEDED;
      },
    }),
    { stepMs: 200 },
  );
  for (ticks = 1; ticks <= 12; ticks++) await tick();
  expect(at).toEqual([6, 12]);
});

test('an exception in a function is reported and the tree starts anew at the next tick', async () => {
  let calls = 0;
  const { tick, problems } = await driven('root { sequence { action [Start] action [Break] } }', () => ({
    Start: () => {
      calls++;
      return State.SUCCEEDED;
    },
    Break: () => {
      throw new Error('my bug');
    },
  }));
  await tick(3);
  expect(calls).toBe(3);
  expect(problems).toHaveLength(3);
  expect(problems[0]).toContain('my bug');
});

test('without onError its mistakes are reported like those of any brain', async () => {
  const mistake = new Error('my bug');
  const peer = scriptedPeer();
  const reported: unknown[] = [];
  const brain = behaviourTree({ definition: 'root { action [Break] }', agent: () => ({ Break: () => Promise.reject(mistake) }) });
  driveOver(brain, peer.agentEnd, (thrown) => reported.push(thrown));
  peer.say(text.init());
  await settled();
  peer.say(text.tick(1));
  await settled();
  expect(reported).toEqual([mistake]);
});

test('an action that rejects with a mistake is reported and fails; a reporter that throws harms nothing', async () => {
  let tries = 0;
  const told: string[] = [];
  const { tick } = await driven(
    'root { action [Slip] }',
    () => ({
      Slip: async () => {
        tries++;
        throw new TypeError('undefined is not a lantern');
      },
    }),
    {
      onError: (error) => {
        told.push(error.message);
        throw new Error('reporter broke');
      },
    },
  );
  await tick(4);
  expect(tries).toBe(2);
  expect(told).toEqual(['undefined is not a lantern', 'undefined is not a lantern']);
});

test('B6: control_lost cancels what runs and stops the tree; control_gained starts it from the top', async () => {
  const { peer, tick, lose, gain } = await driven('root { sequence { action [First] action [Second] } }', (session, signal) => ({
    First: () => State.SUCCEEDED,
    Second: () => session.call('move_to', {}, { signal: signal() }),
  }));
  await tick();
  const { call_id } = await peer.next();
  lose();
  await tick(3);
  expect(await peer.next()).toMatchObject({ tool: 'cancel_call', input: { call_id } });
  expect(peer.unread()).toEqual([]);
  gain();
  await tick();
  expect(await peer.next()).toMatchObject({ tool: 'move_to' });
});

test('an action that a guard abandons has its signal aborted, and its late result is not taken for the next visit’s', async () => {
  let scared = false;
  const done: string[] = [];
  const { peer, tick } = await driven(
    'root { selector { sequence while(Calm) { action [Walk] action [Arrive] } action [Hide] } }',
    (session, signal) => ({
      Calm: () => !scared,
      Walk: () => session.call('move_to', {}, { signal: signal() }),
      Arrive: () => {
        done.push('arrived');
        return State.SUCCEEDED;
      },
      Hide: () => State.SUCCEEDED,
    }),
  );
  await tick();
  const first = await peer.next();
  scared = true;
  await tick();
  expect(await peer.next()).toMatchObject({ tool: 'cancel_call', input: { call_id: first.call_id } });
  scared = false;
  await tick();
  const second = await peer.next();
  peer.say(text.result(first.call_id, '{}'));
  await tick(2);
  expect(done).toEqual([]);
  peer.say(text.result(second.call_id, '{}'));
  await settled();
  await tick();
  expect(done).toEqual(['arrived']);
});

test('an abandoned action without a signal does not finish the next visit either', async () => {
  let scared = false;
  const finish: (() => void)[] = [];
  const done: string[] = [];
  const { tick } = await driven('root { selector { sequence while(Calm) { action [Walk] action [Arrive] } action [Hide] } }', () => ({
    Calm: () => !scared,
    Walk: () => new Promise<void>((resolve) => finish.push(resolve)),
    Arrive: () => {
      done.push('arrived');
      return State.SUCCEEDED;
    },
    Hide: () => State.SUCCEEDED,
  }));
  await tick();
  scared = true;
  await tick();
  scared = false;
  await tick();
  finish[0]?.();
  await tick(2);
  expect(done).toEqual([]);
  finish[1]?.();
  await settled();
  await tick();
  expect(done).toEqual(['arrived']);
});

test('the returned function stops the tree, cancels what runs and may be called twice', async () => {
  const { peer, stop, tick, gain } = await driven('root { action [Walk] }', (session, signal) => ({
    Walk: () => session.call('move_to', {}, { signal: signal() }),
  }));
  await tick();
  await peer.next();
  stop();
  stop();
  gain();
  await tick(3);
  expect(await peer.next()).toMatchObject({ tool: 'cancel_call' });
  expect(peer.unread()).toEqual([]);
});

test('methods of a class, its properties as arguments and a seeded random work', async () => {
  const said: string[] = [];
  class Mind {
    greeting = 'hello';
    Say(words: string) {
      said.push(words, this.greeting);
      return State.SUCCEEDED;
    }
  }
  const { tick } = await driven('root { lotto { action [Say, "never"] action [Say, $greeting] } }', () => new Mind(), {
    random: () => 0.99,
  });
  await tick();
  expect(said).toEqual(['hello', 'hello']);
});

test('a definition that is no tree throws at once; a name that nobody gives is reported and ends the session', async () => {
  expect(() => behaviourTree({ definition: 'root { swim }', agent: () => ({}) })).toThrow('definition is not valid');
  const { peer, reported } = await driven('root { action [Walk] while(Awake) }', () => ({ Walk: () => State.SUCCEEDED }));
  expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('calls Awake') })]);
  await new Promise<unknown>(peer.ended);
});
