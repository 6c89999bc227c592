import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { game, http, start } from './harness.ts';
import { message, tcpAgent } from './raw-agents.ts';
import { READERS } from './readers.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each(READERS)('F4: an agent over %s that stops reading', (_kind, enter) => {
  test('is held, and is not read meanwhile; when it reads again it is released, and nothing is lost', async () => {
    const relay = await start();
    const peer = await game(relay);
    const agent = await enter(relay);
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    agent.stop();
    const filler = 'x'.repeat(20_000);
    let sent = 0;
    const held = () => peer.controls.some(({ type }) => type === 'hold');
    while (!held()) {
      peer.sendLines([1, message('heartbeat', session_id, { number: sent++, filler })]);
      await turn();
    }
    // What a held agent says waits on its side of the wire.
    agent.send(message('heartbeat', session_id));
    const other = await tcpAgent(relay.tcpPort, '{"connect":{}}');
    const { session_id: others } = await other.next();
    other.send(message('heartbeat', others));
    await other.next();
    expect(peer.lines.filter(({ conn }) => conn === 1)).toEqual([]);
    expect(peer.controls.some(({ type }) => type === 'release')).toBe(false);

    agent.goOn();
    await peer.control('release');
    await peer.until(() => peer.lines.find(({ conn }) => conn === 1));
    const numbers: unknown[] = [];
    while (numbers.length < sent) {
      const { filler, number } = await agent.next();
      if (filler !== undefined) numbers.push(number);
    }
    expect(numbers).toEqual(Array.from({ length: sent }, (_, number) => number));
    expect(peer.controls.filter(({ type }) => type === 'hold' || type === 'release').map(({ type, conn }) => [type, conn])).toEqual([
      ['hold', 1],
      ['release', 1],
    ]);
    other.close();
    agent.close();
  });

  test('C9: and takes nothing more is dropped after three looks, and its game is told; what it still had is let go', async () => {
    const clock = new ManualClock();
    const relay = await start({ clock });
    const peer = await game(relay);
    const agent = await enter(relay);
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    agent.stop();
    const filler = 'x'.repeat(20_000);
    const settled = async () => {
      peer.ws.ping();
      await once(peer.ws, 'pong');
    };
    // Past what the wire takes, for good.
    while (!peer.controls.some(({ type }) => type === 'hold')) {
      peer.sendLines([1, message('heartbeat', session_id, { filler })]);
      await settled();
    }
    let looks = 0;
    // The wire may take a last bit after the hold: a look more.
    for (; !peer.controls.some(({ type }) => type === 'close'); looks++) {
      clock.pass(15_000);
      await settled();
    }
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: false });
    expect(JSON.parse((await http(relay.port, '/healthz')).body)).toMatchObject({ agents: 0 });
    agent.goOn();
    agent.close();
  });
});
