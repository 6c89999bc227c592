import { expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { memoryPair } from '../../src/transport/index.ts';
import { Outflow } from '../../src/transport/outflow.ts';

/** A way out whose peer has as much unread as the test says. */
function outflow() {
  const clock = new ManualClock();
  const told: string[] = [];
  let bufferedBytes = 0;
  let drain = () => {};
  const [channel] = memoryPair();
  const out = new Outflow(
    {
      ...channel,
      get bufferedBytes() {
        return bufferedBytes;
      },
      send: () => {},
      close: () => {},
      pause: () => told.push('pause'),
      resume: () => told.push('resume'),
      onDrain: (listener) => {
        drain = listener;
      },
    },
    {
      outboundBytes: 4_194_304,
      clock,
      lookMs: 15_000,
      onOverflow: () => told.push('overflow'),
      onHold: (held) => told.push(held ? 'hold' : 'release'),
      onStalled: () => told.push('stalled'),
    },
  );
  return {
    clock,
    told,
    out,
    /** One more message, after which so much is unread. */
    async send(bytes: number) {
      bufferedBytes = bytes;
      out.send('x');
      await Promise.resolve();
    },
    drained(bytes: number) {
      bufferedBytes = bytes;
      drain();
    },
  };
}

test('F4: a byte below 256 KiB nobody is held, at 256 KiB the peer is held and not read', async () => {
  const { send, told } = outflow();
  await send(262_143);
  expect(told).toEqual([]);
  await send(262_144);
  expect(told).toEqual(['pause', 'hold']);
  await send(1_000_000);
  expect(told).toEqual(['pause', 'hold']);
});

test('F4: a byte above 64 KiB it is still held, at 64 KiB it is released and read again', async () => {
  const { drained, send, told } = outflow();
  await send(300_000);
  drained(65_537);
  expect(told).toEqual(['pause', 'hold']);
  drained(65_536);
  expect(told).toEqual(['pause', 'hold', 'release', 'resume']);
  drained(0);
  await send(262_144);
  expect(told.slice(4)).toEqual(['pause', 'hold']);
});

test('F4: 4 MiB may wait, a byte more is too much, which is told once', async () => {
  const { send, told } = outflow();
  await send(4_194_304);
  expect(told).toEqual(['pause', 'hold']);
  await send(4_194_305);
  await send(5_000_000);
  expect(told).toEqual(['pause', 'hold', 'overflow']);
});

test('C9: a held peer that takes nothing for three looks is stalled, a millisecond earlier it is not', async () => {
  const { clock, send, told } = outflow();
  await send(262_144);
  clock.pass(44_999);
  expect(told).not.toContain('stalled');
  clock.pass(1);
  expect(told).toContain('stalled');
});

test('C9: one that takes a little now and then is only slow, and one that is released is not looked at', async () => {
  const { clock, drained, send, told } = outflow();
  await send(262_144);
  for (let taken = 1; taken <= 100; taken++) {
    drained(262_144 - taken);
    clock.pass(40_000);
  }
  expect(told).toEqual(['pause', 'hold']);
  drained(65_536);
  expect(clock.timers).toBe(0);
});

test('C9: a way out that is closed leaves no timer', async () => {
  const { clock, out, send } = outflow();
  await send(262_144);
  expect(clock.timers).toBe(1);
  out.close();
  expect(clock.timers).toBe(0);
});
