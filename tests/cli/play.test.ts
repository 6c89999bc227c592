import { once } from 'node:events';
import { expect, test } from 'vitest';
import { joinWorld, liveRelay, naps } from './live-world.ts';
import { cli, runCli } from './run-cli.ts';

async function world() {
  const relay = await liveRelay();
  const { ann, bridge, clock } = await joinWorld(relay);
  const url = ['--url', relay.url];
  expect((await cli(['wait', ...url])).code).toBe(0);
  return { ann, bridge, clock, url };
}

test('play runs the lines of a pipe, waits for their results and ends with exit code 0', async () => {
  const { bridge, url } = await world();
  const run = runCli(['play', ...url]);
  run.type('say Hello there\nbody\nfly\nsay\nhelp say\nhelp fly\n');
  run.endInput();
  expect(await run.exit).toBe(0);
  const out = run.out();
  expect(out).toMatch(/^You are in hill \(hybrid, 10 ticks a second\)/);
  expect(out).toContain('say: {"said":"Hello there"}\n');
  expect(out).toContain('body: {"x":3}\n');
  expect(out).toContain('! there is no tool "fly"; press Tab for the list\n');
  expect(out).toMatch(/! say: invalid_input, .*text/);
  expect(out).toContain('say(text: string, loud?: boolean)  generator\n');
  expect(out).toContain('! there is no tool fly; there are body,');
  expect(bridge.sessions()).toEqual([]);
});

test('at a terminal Tab completes, events are shown as they happen, calls do not wait for one another, and Ctrl-C leaves', async () => {
  const { ann, bridge, url } = await world();
  const run = runCli(['play', ...url], { tty: true });
  await run.shows('> ');
  run.type('sleep\r');
  run.type('bo\t');
  await run.shows('body ');
  run.type('\r');
  await run.shows('body: {"x":3}\n');
  run.type('snap\t');
  await run.shows('snapshot ');
  run.type('\r');
  await run.shows('"sensors"');
  ann.emit('agent_message', { from: 'player', text: 'psst' });
  await run.shows('* agent_message {"from":"player","text":"psst"}\n');
  run.type('\x03');
  expect(await run.exit).toBe(0);
  // The call that still ran is told of, though the prompt is gone.
  expect(run.out()).toContain('! sleep: execution_failed (closed), ');
  expect([run.err(), bridge.sessions()]).toEqual(['', []]);
});

test('quit leaves, and a new tool in the catalogue is told', async () => {
  const { ann, clock, url } = await world();
  const run = runCli(['play', ...url]);
  await run.shows('You are in');
  ann.setTools([]);
  clock.pass(1_000);
  await run.shows('* tools cancel_call\n');
  run.type('quit\n');
  expect(await run.exit).toBe(0);
});

test('play ends with exit code 1 and the reason when the session does', async () => {
  const { bridge, url } = await world();
  const run = runCli(['play', ...url]);
  await run.shows('You are in');
  bridge.close('the game is over');
  expect(await run.exit).toBe(1);
  expect(run.err()).toBe('aicc play: the session is over (1000, the game is over)\n');
});

test('Ctrl-D at a terminal leaves without waiting for what runs', async () => {
  const { bridge, url } = await world();
  const run = runCli(['play', ...url], { tty: true });
  await run.shows('> ');
  const asleep = once(naps, 'asleep');
  run.type('sleep\r');
  await asleep;
  run.type('\x04');
  expect(await run.exit).toBe(0);
  expect(bridge.sessions()).toEqual([]);
});
