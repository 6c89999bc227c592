import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChannelFault } from '../../src/protocol/index.ts';
import { type ChannelEnd, memoryPair } from '../../src/transport/index.ts';
import { tcpChannel } from '../../src/transport/node.ts';
import { messages, PAIRS, type Pair } from './channel-pairs.ts';

const MIB = 1_048_576;

describe.each(PAIRS)('%s channel', (kind, make) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await make();
  });
  afterEach(() => pair.dispose());

  test('A1: messages arrive whole and in order, both ways', async () => {
    const sent = Array.from({ length: 50 }, (_, index) => `{"n":${index},"text":"höhö 🙂 ${'x'.repeat(index * 100)}"}`);
    const there = messages(pair.far, sent.length);
    const back = messages(pair.near, sent.length);
    for (const text of sent) {
      pair.near.send(text);
      pair.far.send(text);
    }
    expect(await there).toEqual(sent);
    expect(await back).toEqual(sent);
  });

  test('what comes before a listener is set is kept for it', async () => {
    pair.near.send('{"n":1}');
    pair.near.send('{"n":2}');
    const echo = messages(pair.near, 1);
    pair.far.send('{"n":0}');
    await echo;
    expect(await messages(pair.far, 2)).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('A2: a message of exactly 1 MiB passes, one byte more ends the channel', async () => {
    const fits = `"${'x'.repeat(MIB - 4)}é"`;
    const arrived = messages(pair.far, 1);
    pair.near.send(fits);
    expect((await arrived)[0]).toHaveLength(MIB - 1);

    const faults: ChannelFault[] = [];
    pair.far.onFault((fault) => faults.push(fault));
    pair.far.onMessage(() => expect.unreachable());
    const end = new Promise<ChannelEnd>((resolve) => pair.near.onClose(resolve));
    pair.near.send(`${fits.slice(0, -1)}x"`);
    expect((await end).code).toBe(kind === 'tcp' ? 1006 : 1009);
    expect(faults).toMatchObject([{ code: 1009, fatal: true }]);
  });

  test('close delivers what was sent before it, then tells both ends once, with the code where there are codes', async () => {
    const ends: [string, ChannelEnd][] = [];
    const told = Promise.all(
      (['near', 'far'] as const).map(
        (name) =>
          new Promise<void>((resolve) =>
            pair[name].onClose((end) => {
              ends.push([name, end]);
              resolve();
            }),
          ),
      ),
    );
    const arrived = messages(pair.near, 2);
    pair.far.send('{"n":1}');
    pair.far.send('{"n":2}');
    pair.far.close(4001, 'replaced');
    pair.far.close(1000, 'again');
    pair.far.send('{"n":3}');
    expect(await arrived).toEqual(['{"n":1}', '{"n":2}']);
    await told;
    await turn();
    expect(ends).toHaveLength(2);
    expect(ends).toContainEqual(['far', { code: 4001, reason: 'replaced' }]);
    expect(ends).toContainEqual(['near', kind === 'tcp' ? { code: 1006, reason: '' } : { code: 4001, reason: 'replaced' }]);
  });

  test('the end is told to a listener that comes after it', async () => {
    const far = new Promise<ChannelEnd>((resolve) => pair.far.onClose(resolve));
    pair.near.close(1000, 'bye');
    await far;
    expect((await new Promise<ChannelEnd>((resolve) => pair.near.onClose(resolve))).code).toBe(1000);
  });

  test('after close nothing arrives any more', async () => {
    const end = new Promise<ChannelEnd>((resolve) => pair.near.onClose(resolve));
    pair.near.onMessage(() => expect.unreachable());
    pair.far.send('{"n":1}');
    pair.near.close();
    await end;
  });

  test('F4: a paused channel hands over nothing until it is resumed', async () => {
    const texts: string[] = [];
    pair.far.onMessage((text) => texts.push(text));
    pair.far.pause();
    pair.near.send('{"n":1}');
    const echo = messages(pair.near, 1);
    pair.far.send('{"n":0}');
    await echo;
    await turn();
    expect(texts).toEqual([]);
    const arrived = messages(pair.far, 1);
    pair.far.resume();
    expect(await arrived).toEqual(['{"n":1}']);
  });
});

test('a paused memory channel hands over what is left when it ends', async () => {
  const [near, far] = memoryPair();
  const texts: string[] = [];
  far.onMessage((text) => texts.push(text));
  far.pause();
  near.send('{"n":1}');
  near.close();
  await new Promise<ChannelEnd>((resolve) => far.onClose(resolve));
  expect(texts).toEqual(['{"n":1}']);
});

test('C9: TCP asks an idle peer every 15 s whether it is still there, by keep-alive', () => {
  const socket = new Socket();
  const keepAlive = vi.spyOn(socket, 'setKeepAlive');
  tcpChannel(socket);
  expect(keepAlive.mock.calls).toEqual([[true, 15_000]]);
  socket.destroy();
});
