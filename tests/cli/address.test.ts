import { expect, test } from 'vitest';
import { readAddress } from '../../src/relay/cli/address.ts';
import { UsageError } from '../../src/relay/cli/io.ts';

test.each([
  ['ws://127.0.0.1:4750/agent', 'ws://127.0.0.1:4750/agent', 'http://127.0.0.1:4750/'],
  ['http://127.0.0.1:4750', 'ws://127.0.0.1:4750/agent', 'http://127.0.0.1:4750/'],
  ['https://play.example/aicc/', 'wss://play.example/aicc/agent', 'https://play.example/aicc/'],
  ['wss://play.example/aicc/agent', 'wss://play.example/aicc/agent', 'https://play.example/aicc/'],
])('%s reaches the agents’ WebSocket and the list of worlds', (text, url, http) => {
  const address = readAddress(text);
  expect([address.connect, address.http?.href]).toEqual([{ url }, http]);
});

test('tcp:// reaches the TCP port, where no list of worlds is', () => {
  expect(readAddress('tcp://127.0.0.1:4751')).toEqual({ connect: { host: '127.0.0.1', port: 4751 } });
  expect(readAddress('tcp://[::1]:4751')).toEqual({ connect: { host: '::1', port: 4751 } });
});

test.each([
  ['nowhere', 'is not a URL'],
  ['ftp://127.0.0.1', 'of no known kind'],
  ['tcp://127.0.0.1', 'names no port'],
  ['ws://127.0.0.1/agent?token=x', 'AICC_TOKEN'],
  ['ws://user:x@127.0.0.1/agent', 'AICC_TOKEN'],
  ['ws://127.0.0.1/agent?world=x', '--world'],
])('B5: %s is refused, and it says why', (text, problem) => {
  expect(() => readAddress(text)).toThrow(UsageError);
  expect(() => readAddress(text)).toThrow(problem);
});
