import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { AiccError, connectFromQuery } from '../../src/protocol/index.ts';
import { type Channel, type ChannelEnd, type Door, type DoorOptions, memoryPair, openDoor } from '../../src/transport/index.ts';
import { ScriptedOpener } from './scripted-opener.ts';

const SESSION = '8f14e45f-ceea-467f-a8d0-1c4b5a1f2e30';
const NIL = '00000000-0000-0000-0000-000000000000';
const FRESH = '11111111-1111-4111-8111-111111111111';
const MESSAGE = '22222222-2222-4222-8222-222222222222';
const message = (type: string, members: object = {}, session = SESSION) =>
  JSON.stringify({ protocol: 'aicc/0.1', type, session_id: session, message_id: MESSAGE, ...members });
const MANIFEST_REQUEST = message('manifest_request', {}, NIL);

let opener: ScriptedOpener;
let clock: ManualClock;
let agent: Channel;
let door: Door;
let received: { [key: string]: unknown; error?: { code: string; message: string; retryable: boolean } }[];
let ends: ChannelEnd[];
let closings: number;

function enter(options: Partial<DoorOptions> = {}): void {
  const [near, far] = memoryPair();
  agent = near;
  received = [];
  ends = [];
  closings = 0;
  agent.onMessage((text) => received.push(JSON.parse(text)));
  agent.onClose((end) => ends.push(end));
  door = openDoor(far, {
    opener,
    clock,
    newId: () => FRESH,
    authenticate: () => ({ name: 'anonymous' }),
    tokenRequired: false,
    onClosed: () => closings++,
    ...options,
  });
}

async function say(...texts: string[]): Promise<void> {
  for (const text of texts) agent.send(text);
  await turn();
}

beforeEach(() => {
  opener = new ScriptedOpener();
  clock = new ManualClock();
});

describe('opening', () => {
  test('B1: a connect line asks for what it names, and who comes is added', async () => {
    enter({ authenticate: (token) => ({ name: `token ${token}`, capabilities: ['vision'], characters: ['mira'] }) });
    await say('{"connect": {"world": "w", "character": "mira", "event_subscriptions": ["tick"], "observe": true, "token": "t"}}');
    expect(opener.requests).toEqual([
      {
        world: 'w',
        character: 'mira',
        event_subscriptions: ['tick'],
        observe: true,
        principal: 'token t',
        capabilities: ['vision'],
        characters: ['mira'],
      },
    ]);
    expect(door.isOpen).toBe(true);
  });

  test('B1: the query opens at once, and a request for a session that crosses it is answered by it', async () => {
    enter({ query: connectFromQuery(new URLSearchParams('character=mira')) });
    await say(MANIFEST_REQUEST, message('heartbeat'));
    expect(opener.requests).toEqual([{ character: 'mira', principal: 'anonymous' }]);
    expect(opener.heard).toEqual([message('heartbeat')]);
  });

  test('B1: a query that cannot be is answered, and the connection stays open for another try', async () => {
    enter({ query: connectFromQuery(new URLSearchParams('karacter=mira')) });
    await turn();
    expect(received).toMatchObject([{ type: 'error', session_id: NIL, message_id: FRESH, error: { code: 'invalid_input' } }]);
    await say('{"connect":{}}');
    expect(door.isOpen).toBe(true);
  });

  test('B1: a connect line with an unknown member is refused and names it', async () => {
    enter();
    await say('{"connect": {"charakter": "mira"}}');
    expect(received[0]?.error).toMatchObject({ code: 'invalid_input', retryable: false, message: expect.stringContaining('charakter') });
    expect(opener.requests).toEqual([]);
  });

  test('B3: a manifest_request with the nil UUID opens the default character', async () => {
    enter();
    await say(MANIFEST_REQUEST);
    expect(opener.requests).toEqual([{ principal: 'anonymous' }]);
  });

  test('B3: 2 s of silence open the default character, and not a moment less', async () => {
    enter();
    clock.pass(1_999);
    expect(opener.requests).toEqual([]);
    clock.pass(1);
    expect(opener.requests).toEqual([{ principal: 'anonymous' }]);
  });

  test('B3: silence opens nothing where a token is required', async () => {
    enter({ tokenRequired: true, authenticate: () => undefined });
    clock.pass(9_999);
    expect(opener.requests).toEqual([]);
    expect(ends).toEqual([]);
  });

  test('B3: without a session the connection closes after 10 s', async () => {
    enter({ tokenRequired: true });
    clock.pass(9_999);
    await turn();
    expect(ends).toEqual([]);
    clock.pass(1);
    await turn();
    expect(ends).toEqual([{ code: 1008, reason: 'No session was opened in time.' }]);
    expect(closings).toBe(1);
    expect(clock.timers).toBe(0);
  });

  test('B4: an opening error answers the request, leaves the connection open and starts the 10 s anew', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'No game is connected.'), absent: true });
    clock.pass(1_000);
    await say(MANIFEST_REQUEST);
    expect(received).toMatchObject([
      { type: 'error', session_id: NIL, message_id: MESSAGE, error: { code: 'tool_unavailable', retryable: true } },
    ]);
    clock.pass(9_999);
    await turn();
    expect(ends).toEqual([]);
    opener.answer = () => opener.session();
    await say('{"connect":{}}');
    expect(door.isOpen).toBe(true);
    clock.pass(60_000);
    await turn();
    expect(ends).toEqual([]);
  });

  test('B1: wait_ms tries again whenever something changed, and no longer than it says', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'There is no mira.'), absent: true });
    await say('{"connect":{"character":"mira","wait_ms":60000}}');
    clock.pass(30_000);
    opener.change();
    await turn();
    expect(opener.requests).toHaveLength(2);
    clock.pass(29_999);
    await turn();
    expect(received).toEqual([]);
    clock.pass(1);
    await turn();
    expect(received).toMatchObject([{ error: { code: 'tool_unavailable', message: 'There is no mira.' } }]);
    expect(opener.listeners.size).toBe(0);
    clock.pass(9_999);
    await turn();
    expect(ends).toEqual([]);
    clock.pass(1);
    await turn();
    expect(ends).toMatchObject([{ code: 1008 }]);
  });

  test('B1: wait_ms ends well when the character comes', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'There is no mira.'), absent: true });
    await say('{"connect":{"character":"mira","wait_ms":60000}}');
    opener.answer = () => opener.session();
    opener.change();
    await turn();
    expect(door.isOpen).toBe(true);
    expect([opener.listeners.size, clock.timers]).toEqual([0, 0]);
  });

  test('B1: wait_ms does not wait for a character that is taken', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'mira is taken.'), absent: false });
    await say('{"connect":{"character":"mira","wait_ms":60000}}');
    expect(received).toMatchObject([{ error: { message: 'mira is taken.' } }]);
  });

  test('an agent that leaves while it waits is forgotten, and one that leaves while the game answers is told to the game', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'There is no mira.'), absent: true });
    await say('{"connect":{"wait_ms":60000}}');
    agent.close();
    await turn();
    expect([opener.listeners.size, clock.timers, closings]).toEqual([0, 0, 1]);

    enter();
    let settle = (): void => {};
    opener.answer = () =>
      new Promise((resolve) => {
        settle = () => resolve(opener.session());
      });
    await say('{"connect":{}}');
    agent.close(1000);
    await turn();
    expect([opener.listeners.size, clock.timers, closings]).toEqual([0, 0, 1]);
    settle();
    await turn();
    expect(opener.heard).toEqual([{ closed: true }]);
  });

  test('B3: a game that does not answer costs the agent 10 s, not for ever', async () => {
    enter();
    opener.answer = () => new Promise(() => {});
    await say('{"connect":{}}');
    clock.pass(10_000);
    await turn();
    expect(ends).toMatchObject([{ code: 1013 }]);
  });

  test('an opener that throws is an internal_error, not an exception', async () => {
    enter();
    opener.answer = () => {
      throw new Error('secret');
    };
    await say('{"connect":{}}');
    expect(received[0]?.error).toMatchObject({ code: 'internal_error', message: expect.not.stringContaining('secret') });
  });

  test('B5: an unknown token closes with 4401 and reveals nothing', async () => {
    enter({ tokenRequired: true, authenticate: (token) => (token === 'right' ? { name: 'bot' } : undefined) });
    await say('{"connect":{"token":"wrong"}}');
    expect(received).toEqual([]);
    expect(ends).toEqual([{ code: 4401, reason: 'unauthorized' }]);
    enter({ tokenRequired: true, authenticate: (token) => (token === 'right' ? { name: 'bot' } : undefined) });
    await say(MANIFEST_REQUEST);
    expect(ends).toMatchObject([{ code: 4401 }]);
    expect(opener.requests).toEqual([]);
  });

  test('openings are tried at most 5 times a second', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('tool_unavailable', 'taken'), absent: false });
    for (let index = 0; index < 6; index++) await say('{"connect":{}}');
    expect(opener.requests).toHaveLength(5);
    expect(received[5]?.error).toMatchObject({ code: 'tool_unavailable', message: 'At most 5 openings a second: wait and try again.' });
    clock.pass(1_000);
    await say('{"connect":{}}');
    expect(opener.requests).toHaveLength(6);
  });

  test('C5: session_resume and connect.resume reach the opener alike', async () => {
    enter();
    opener.answer = () => ({ error: new AiccError('session_expired', 'unknown'), absent: false });
    await say(message('session_resume'), `{"connect":{"resume":"${SESSION}","last_seq":4}}`);
    expect(opener.requests).toEqual([
      { resume: SESSION, principal: 'anonymous' },
      { resume: SESSION, last_seq: 4, principal: 'anonymous' },
    ]);
    expect(received).toMatchObject([{ message_id: MESSAGE, error: { code: 'session_expired' } }, { message_id: FRESH }]);
  });

  test('C1: another message before a session is session_expired and opens nothing', async () => {
    enter();
    await say(message('heartbeat'));
    expect(received).toMatchObject([{ session_id: NIL, message_id: MESSAGE, error: { code: 'session_expired', retryable: false } }]);
    expect(opener.requests).toEqual([]);
  });

  test('what is sent before the session is open is handled after it, up to 1 MiB', async () => {
    enter();
    let settle = (): void => {};
    opener.answer = () =>
      new Promise((resolve) => {
        settle = () => resolve(opener.session());
      });
    await say('{"connect":{}}', message('heartbeat'), message('session_close'));
    settle();
    await turn();
    expect(opener.heard).toEqual([message('heartbeat'), message('session_close')]);

    enter();
    const large = message('session_close', { reason: 'x'.repeat(524_000) });
    await say('{"connect":{}}', large);
    expect(ends).toEqual([]);
    await say(large, large);
    expect(ends).toMatchObject([{ code: 1008 }]);
  });
});

describe('in a session', () => {
  beforeEach(async () => {
    enter();
    await say('{"connect":{}}');
  });

  test('a good message is passed on as it came', async () => {
    const text = message('heartbeat').replaceAll(',', ' , ');
    await say(text);
    expect(opener.heard).toEqual([text]);
  });

  test('A3: a bad message is answered with its id and the session id, and the connection stays open', async () => {
    await say('{', '[]', message('heartbeat', { extra: 1 }), `{"protocol":"aicc/0.1","message_id":"${MESSAGE}"}`);
    expect(received).toMatchObject([
      { session_id: SESSION, message_id: FRESH, error: { code: 'invalid_input', retryable: false } },
      { session_id: SESSION, message_id: FRESH },
      { session_id: SESSION, message_id: MESSAGE, error: { message: expect.stringContaining('extra') } },
      { session_id: SESSION, message_id: MESSAGE, error: { message: expect.stringContaining('/type') } },
    ]);
    await say(message('heartbeat'));
    expect(opener.heard).toHaveLength(1);
  });

  test('A3: the 20th bad message within 60 s closes with 1008', async () => {
    await say(...Array<string>(19).fill('{'));
    expect(ends).toEqual([]);
    clock.pass(60_000);
    await say(...Array<string>(19).fill('{'));
    expect(ends).toEqual([]);
    clock.pass(59_999);
    await say('{');
    expect(received).toHaveLength(39);
    expect(ends).toMatchObject([{ code: 1008 }]);
    expect(opener.heard).toEqual([{ closed: false }]);
  });

  test('A4: a wrong protocol is answered, then closed', async () => {
    await say(message('heartbeat').replace('aicc/0.1', 'aicc/0.2'));
    expect(received).toMatchObject([{ message_id: MESSAGE, error: { code: 'protocol_mismatch', retryable: false } }]);
    expect(ends).toMatchObject([{ code: 1008 }]);
  });

  test('A6: what only a bridge may say is refused', async () => {
    await say(message('session_init'));
    expect(received[0]?.error).toMatchObject({ code: 'invalid_input' });
    expect(opener.heard).toEqual([]);
  });

  test('A7: a malformed tool_call with a readable call_id goes to the bridge; one for another session is an error', async () => {
    await say(message('tool_call', { call_id: 'c1', tool: 'vision' }), message('tool_call', { call_id: 'c2', tool: 'vision' }, FRESH));
    expect(opener.heard).toMatchObject([{ refused: { call_id: 'c1', message_id: MESSAGE, error: expect.stringContaining('input') } }]);
    expect(received).toMatchObject([{ type: 'error', error: { code: 'invalid_input' } }]);
  });

  test('A3: malformed calls count as bad messages too', async () => {
    await say(...Array<string>(20).fill(message('tool_call', { call_id: 'c1', tool: 'vision' })));
    expect(ends).toMatchObject([{ code: 1008 }]);
  });

  test('A2: too large a message closes with 1009', async () => {
    await say(`"${'x'.repeat(1_048_576)}"`);
    expect(ends).toMatchObject([{ code: 1009 }]);
    expect(opener.heard).toEqual([{ closed: false }]);
  });

  test('C4: closed says whether the agent left with code 1000', async () => {
    agent.close(1000);
    await turn();
    enter();
    await say('{"connect":{}}');
    agent.close(4000);
    await turn();
    expect(opener.heard).toEqual([{ closed: true }, { closed: false }]);
  });

  test('an end that the bridge asked for is not told to it', async () => {
    opener.ports[0]?.send(message('session_close'));
    opener.ports[0]?.close(1000, 'bye');
    opener.ports[0]?.send(message('heartbeat'));
    await turn();
    expect(received).toMatchObject([{ type: 'session_close' }]);
    expect(ends).toEqual([{ code: 1000, reason: 'bye' }]);
    expect(opener.heard).toEqual([]);
    expect(closings).toBe(1);
  });

  test('close may be called twice and leaves no timer', async () => {
    door.close(1012, 'restart');
    door.close(1012, 'restart');
    await turn();
    expect(ends).toEqual([{ code: 1012, reason: 'restart' }]);
    expect([clock.timers, closings, door.isOpen]).toEqual([0, 1, false]);
  });
});
