import { describe, expect, test } from 'vitest';
import { http, start } from './harness.ts';
import { refusedUpgrade, webSocketAgent } from './raw-agents.ts';

const OPTIONS = { allowedHosts: ['play.example', 'other.example:8080'], allowedOrigins: ['https://games.example'] };

describe('H7: Host', () => {
  test.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:1234', 200],
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['[::1]:4750', 200],
    ['play.example', 200],
    ['play.example:443', 200],
    ['other.example:8080', 200],
    ['other.example', 403],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example', 403],
    ['evil.example@127.0.0.1', 403],
    ['127.0.0.1/evil', 403],
  ])('%j is answered with %d', async (host, status) => {
    const relay = await start(OPTIONS);
    expect((await http(relay.port, '/healthz', { Host: host })).status).toBe(status);
  });
});

describe('H7: Origin', () => {
  test.each([
    ['http://localhost:5173', 200],
    ['http://127.0.0.1', 200],
    ['https://[::1]:8443', 200],
    ['https://games.example', 200],
    ['https://play.example', 403],
    ['http://games.example', 403],
    ['https://games.example.evil.example', 403],
    ['https://localhost.evil.example', 403],
    ['http://evil.example/127.0.0.1', 403],
    ['null', 403],
    ['file://', 403],
    ['', 403],
  ])('%j is answered with %d', async (origin, status) => {
    const relay = await start(OPTIONS);
    expect((await http(relay.port, '/healthz', { Origin: origin })).status).toBe(status);
  });

  test('the page that the relay itself served, by an allowed name, is its own', async () => {
    const relay = await start(OPTIONS);
    const headers = { Host: 'play.example', Origin: 'https://play.example' };
    expect((await http(relay.port, '/healthz', headers)).status).toBe(200);
    expect((await http(relay.port, '/healthz', { ...headers, Origin: 'https://play.example:444' })).status).toBe(403);
  });

  test.each([
    ['/agent', 'aicc.v0.1'],
    ['/game', 'aicc-game.v1'],
  ])('no page elsewhere opens a WebSocket at %s', async (path, protocol) => {
    const relay = await start();
    const url = `ws://127.0.0.1:${relay.port}${path}`;
    for (const origin of ['https://evil.example', 'null']) {
      expect((await refusedUpgrade(url, [protocol], { headers: { Origin: origin } })).status).toBe(403);
    }
    expect((await refusedUpgrade(url, [protocol], { headers: { Host: 'evil.example' } })).status).toBe(403);
    const local = await webSocketAgent(url, [protocol], { headers: { Origin: 'http://localhost:5173' } });
    local.close();
  });
});
