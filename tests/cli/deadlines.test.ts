import { describe, expect, test } from 'vitest';
import { bodiless, muteWebSocket, silentPort } from '../agent/silent-ports.ts';
import { joinWorld, liveRelay, naps } from './live-world.ts';
import { cli, runCli } from './run-cli.ts';

const SHORT = ['--timeout', '0.2'];
const at = (port: number) => ['--url', `ws://127.0.0.1:${port}/agent`];

describe('H10: no command waits without an end', () => {
  test.each([['worlds'], ['wait'], ['tools'], ['call', 'say'], ['watch'], ['play']])(
    '%s at a port that takes the connection and stays silent is one line that says so, and exit code 1',
    async (...argv) => {
      const { code, err, out } = await cli([...argv, ...SHORT, ...at(await silentPort())]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^aicc .*(does not answer|answers no WebSocket handshake): nothing came within .*\n$/);
    },
  );

  test.each([['tools'], ['call', 'say'], ['watch'], ['play']])(
    '%s at a WebSocket and a TCP port that open no session, too',
    async (...argv) => {
      const silent = /^aicc .* takes the connection but opens no session: none came within .*\n$/;
      expect(await cli([...argv, ...SHORT, ...at(await muteWebSocket())])).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(silent),
      });
      const tcp = ['--url', `tcp://127.0.0.1:${await silentPort()}`];
      expect(await cli([...argv, ...SHORT, ...tcp])).toEqual({ code: 1, out: '', err: expect.stringMatching(silent) });
    },
  );

  test.each([['worlds'], ['wait']])('%s where an answer begins and does not end, too', async (...argv) => {
    const { code, err } = await cli([...argv, ...SHORT, ...at(await bodiless())]);
    expect([code, err]).toEqual([1, expect.stringMatching(/has begun an answer and does not end it: nothing came within .*\n$/)]);
  });

  test.each(['ws', 'tcp'])('conformance over %s, too', async (scheme) => {
    const { code, err } = await cli(['conformance', `${scheme}://127.0.0.1:${await silentPort()}`, '--patience', '0.2']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^aicc conformance: cannot begin at .*\n$/)]);
  });

  test('aicontrol, too', async () => {
    const { code, err } = await cli(['aicontrol', 'ping', ...SHORT, '--port', String(await silentPort())]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^aicc aicontrol: .* does not answer: nothing came within 200 ms\n$/)]);
  });

  test("call's time is for the connection and the call together", async () => {
    const relay = await liveRelay();
    await joinWorld(relay);
    expect((await cli(['wait', '--url', relay.url])).code).toBe(0);
    const run = runCli(['call', 'sleep', '--timeout', '0.5', '--url', relay.url]);
    expect(await run.exit).toBe(1);
    expect(run.err()).toMatch(/^aicc call: timeout: no result within \d+ ms \(trying again may help\)\n$/);
    expect(naps.listenerCount('asleep')).toBe(0);
  });
});

describe('what helps', () => {
  test.each([['worlds'], ['wait', '--timeout', '0'], ['tools'], ['call', 'say'], ['watch'], ['play']])(
    '%s where nobody listens says how to start a relay',
    async (...argv) => {
      const relay = await liveRelay();
      await relay.close();
      const { code, err } = await cli([...argv, '--url', relay.url]);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^aicc .*nobody listens there; start a relay with `npx phaser-aicc relay`\n$/),
      ]);
    },
  );

  test('what answers but is no relay is named', async () => {
    const web = await silentPort((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>'));
    expect(await cli(['worlds', ...at(web)])).toMatchObject({ code: 1, err: expect.stringContaining("is --url a relay's address?") });
  });

  test('help tells the exit codes', async () => {
    expect((await cli(['help'])).out).toContain(
      'Exit codes: 0 done, 1 it failed or nobody answered in time, 2 the command line is wrong, 130',
    );
  });
});

describe('B8: watch and tools', () => {
  test('take no control: whoever drives goes on, and the list of worlds shows no other', async () => {
    const relay = await liveRelay();
    const { ann, bridge } = await joinWorld(relay);
    const url = ['--url', relay.url];
    expect((await cli(['wait', ...url])).code).toBe(0);
    const playing = runCli(['play', '--character', 'ann', ...url]);
    await playing.shows('You are in');
    const watching = runCli(['watch', '--character', 'ann', '--topics', 'agent_message', ...url]);
    const both = new Promise<void>((resolve) => {
      const look = () => bridge.sessions().length === 2 && resolve();
      bridge.onChange(look);
      look();
    });
    await both;
    ann.emit('agent_message', { from: 'player', text: 'hello' });
    await watching.shows('hello');
    expect((await cli(['tools', '--character', 'ann', ...url])).out).toContain('say');
    playing.type('body\n');
    await playing.shows('body: {"x":3}');
    expect((await cli(['worlds', ...url])).out).toContain('driven by agent, agents 1/1');
    watching.interrupt();
    playing.type('quit\n');
    expect([await watching.exit, await playing.exit]).toEqual([0, 0]);
  });
});
