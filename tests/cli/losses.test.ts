import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { joinWorld, liveRelay, naps } from './live-world.ts';
import { cli, runCli } from './run-cli.ts';

const LOST = 'connection lost, trying again …\n';
const BACK = 'connected again, the session goes on\n';

/** A world, and a way to its relay's TCP port that can be cut. */
async function world() {
  const relay = await liveRelay();
  const { bridge } = await joinWorld(relay);
  expect((await cli(['wait', '--url', relay.url])).code).toBe(0);
  const ways = new Set<Socket>();
  const door = createServer((near) => {
    const far = connect(relay.tcpPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ways.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const cut = () => {
    for (const way of ways) way.destroy();
    ways.clear();
  };
  const goAway = () => {
    door.close();
    cut();
  };
  onTestFinished(goAway);
  return { bridge, cut, goAway, url: ['--url', `tcp://127.0.0.1:${(door.address() as AddressInfo).port}`] };
}

test('C5: call says when the connection is lost and when it is back, a line each, and goes on waiting for its result', async () => {
  const { bridge, cut, url } = await world();
  const asleep = once(naps, 'asleep');
  const run = runCli(['call', 'sleep', '--json', ...url]);
  await asleep;
  cut();
  await run.warns(LOST);
  await run.warns(BACK);
  expect(bridge.sessions()).toHaveLength(1);
  run.interrupt();
  expect(await run.exit).toBe(130);
  expect([run.out(), run.err()]).toEqual(['', `aicc call: ${LOST}aicc call: ${BACK}`]);
});

test.each([false, true])('C5: play does too, and runs what was typed meanwhile (at a terminal: %s)', async (tty) => {
  const { cut, url } = await world();
  const run = runCli(['play', ...url], { tty });
  await run.shows('You are in');
  run.type('body\n');
  await run.shows('body: {"x":3}\n');
  cut();
  await run.warns(LOST);
  run.type('say Hello there\n');
  await run.warns(BACK);
  await run.shows('say: {"said":"Hello there"}\n');
  run.type('quit\n');
  expect(await run.exit).toBe(0);
  expect(run.err()).toBe(`aicc play: ${LOST}aicc play: ${BACK}`);
});

test('C4: who gives up at last says after how long, and what was in the way', async () => {
  const { goAway, url } = await world();
  const asleep = once(naps, 'asleep');
  const run = runCli(['call', 'sleep', ...url]);
  await asleep;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  goAway();
  await run.warns(LOST);
  vi.setSystemTime(Date.now() + 70_000);
  expect(await run.exit).toBe(1);
  expect(run.err()).toMatch(
    /^aicc call: connection lost.*\naicc call: session_expired \(closed\): .*could not be resumed: gave up after 70 s: cannot connect to 127.*\n$/,
  );
});
