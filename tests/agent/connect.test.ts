import { expect, test } from 'vitest';
import { attach, ConnectError, connect } from '../../src/agent/index.ts';
import { connect as connectInNode } from '../../src/agent/node.ts';
import { NIL, scriptedPeer, text } from './scripted-peer.ts';

const refusal = (opening: Promise<unknown>): Promise<ConnectError> =>
  opening.then(
    () => expect.unreachable(),
    (error) => error,
  );

test('B4: an opening error rejects with its code, message and retryable, and closes the channel', async () => {
  const peer = scriptedPeer();
  const opening = refusal(connect({ channel: peer.agentEnd, character: 'bob' }));
  await peer.next();
  const hungUp = new Promise((resolve) => peer.ended(resolve));
  peer.say(text.error('tool_unavailable', 'there is no bob; there is ann', true, undefined, NIL));
  const error = await opening;
  expect(error).toBeInstanceOf(ConnectError);
  expect(error).toMatchObject({ code: 'tool_unavailable', message: 'there is no bob; there is ann', retryable: true });
  await hungUp;
});

test('B5: unauthorized reads the same whether an error or a closing code says it', async () => {
  const tcp = scriptedPeer();
  const overTcp = refusal(connect({ channel: tcp.agentEnd }));
  tcp.say(text.error('invalid_input', 'unauthorized', false, undefined, NIL));
  const web = scriptedPeer();
  const overWebSocket = refusal(connect({ channel: web.agentEnd }));
  web.hangUp(4401, 'unauthorized');
  expect((await overTcp).message).toBe('unauthorized: the token is missing or not valid here');
  expect(await overWebSocket).toMatchObject({ code: 'invalid_input', message: (await overTcp).message, retryable: false });
});

test('B3: a connection that ends or babbles before session_init rejects as unreachable', async () => {
  const gone = scriptedPeer();
  const ended = refusal(attach(gone.agentEnd));
  gone.hangUp(1012, 'restart');
  expect(await ended).toMatchObject({ code: 'unreachable', retryable: true, message: expect.stringContaining('1012, restart') });
  const babbler = scriptedPeer();
  const babbled = refusal(attach(babbler.agentEnd));
  babbler.say('220 smtp.example ESMTP');
  expect(await babbled).toMatchObject({ code: 'unreachable', message: expect.stringContaining('220 smtp') });
});

test('B3: aborting gives up the opening with the signal’s reason and closes the channel', async () => {
  const peer = scriptedPeer();
  const abort = new AbortController();
  const opening = refusal(connect({ channel: peer.agentEnd, signal: abort.signal }));
  await peer.next();
  const hungUp = new Promise((resolve) => peer.ended(resolve));
  const why = new Error('enough');
  abort.abort(why);
  expect(await opening).toBe(why);
  await hungUp;
  expect(await refusal(connect({ channel: scriptedPeer().agentEnd, signal: abort.signal }))).toBe(why);
});

test.each([
  ['no URL', { url: 'nowhere' }, 'not a URL'],
  ['another scheme', { url: 'http://127.0.0.1:1/agent' }, 'must begin with ws://'],
  ['a token in the URL', { url: 'ws://127.0.0.1:1/agent?token=x' }, 'must not be in the URL'],
  ['an option beside a query', { url: 'ws://127.0.0.1:1/agent?world=a', character: 'b' }, 'say `character` either'],
])('B1, B5: %s is a TypeError that says how to mend it', async (_what, options, problem) => {
  for (const each of [connect, connectInNode]) {
    const error = await refusal(each(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(problem);
  }
});

test('In Node one way to connect must be given at most, and a host needs a port', async () => {
  expect((await refusal(connectInNode({ url: 'ws://127.0.0.1:1', port: 1 }))).message).toContain('give one of');
  expect((await refusal(connectInNode({ host: '127.0.0.1' }))).message).toContain('needs a `port`');
});
