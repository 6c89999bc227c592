import { describe, expect, expectTypeOf, test } from 'vitest';
import { type ConnectRequest, checkConnect, connectFromQuery, isConnectLine } from '../../src/protocol/index.ts';
import { SESSION } from '../fixtures/messages.ts';

const whole = {
  world: 'lantern_night',
  character: 'mira',
  agent_model: { class: 'edge_small', expected_first_token_ms: 20, expected_full_response_ms: 0 },
  event_subscriptions: ['tick', 'collision', 'audio', 'state_change', 'agent_message'],
  token: 'secret',
  session_offer: { any: ['thing'] },
  observe: true,
  spectate: true,
  wait_ms: 60_000,
  resume: SESSION,
  last_seq: 0,
} satisfies ConnectRequest;

describe('the connect line', () => {
  test('B1: every member may be there, and none need be', () => {
    expectTypeOf<keyof ConnectRequest>().toEqualTypeOf<keyof typeof whole>();
    expect(checkConnect({ connect: whole })).toEqual({ ok: true, connect: whole });
    expect(checkConnect({ connect: {} })).toEqual({ ok: true, connect: {} });
  });

  test('B1: it is told from an AICC message by its member `connect`', () => {
    expect(isConnectLine({ connect: 1 })).toBe(true);
    expect(isConnectLine({ protocol: 'aicc/0.1', type: 'heartbeat' })).toBe(false);
  });

  test.each([
    [{ connect: { wait_ms: 60_001 } }, '/connect/wait_ms must be an integer from 0 to 60000, got 60001'],
    [{ connect: { wait_ms: -1 } }, '/connect/wait_ms must be an integer from 0 to 60000, got -1'],
    [{ connect: { wait_ms: 0.5 } }, '/connect/wait_ms must be an integer from 0 to 60000, got 0.5'],
    [{ connect: { last_seq: -1 } }, '/connect/last_seq must be an integer of at least 0, got -1'],
    [{ connect: { world: '' } }, '/connect/world must be a string that is not empty, got an empty string'],
    [{ connect: { character: 1 } }, '/connect/character must be a string that is not empty, got 1'],
    [{ connect: { spectate: 1 } }, '/connect/spectate must be a boolean, got 1'],
    [{ connect: { observe: 'yes' } }, '/connect/observe must be a boolean, got the string "yes"'],
    [{ connect: { resume: 'x' } }, '/connect/resume must be a UUID like 123e4567-e89b-42d3-a456-426614174000, got the string "x"'],
    [{ connect: { session_offer: [] } }, '/connect/session_offer must be an object, got an array'],
    [
      { connect: { event_subscriptions: ['tick', 'rain'] } },
      '/connect/event_subscriptions/1 must be one of tick, collision, audio, state_change, agent_message, got the string "rain"',
    ],
    [{ connect: { event_subscriptions: 'tick' } }, '/connect/event_subscriptions must be an array, got the string "tick"'],
    [
      { connect: { agent_model: {} } },
      '/connect/agent_model/class is missing: it must be one of edge_small, edge_medium, cloud_medium, cloud_large',
    ],
    [
      { connect: { agent_model: { class: 'edge_small', size: 7 } } },
      '/connect/agent_model/size is not known here: /connect/agent_model may only have class, expected_first_token_ms, expected_full_response_ms',
    ],
    [
      { connect: { colour: 'red' } },
      '/connect/colour is not known here: /connect may only have world, character, agent_model, event_subscriptions, token, session_offer, observe, spectate, wait_ms, resume, last_seq',
    ],
    [{ connect: {}, protocol: 'aicc/0.1' }, '/protocol is not known here: the message may only have connect'],
    [{ connect: 'mira' }, '/connect must be an object, got the string "mira"'],
    [{ connect: null }, '/connect must be an object, got null'],
    [{}, '/connect is missing: it must be an object'],
  ])('B1: %j is refused in a sentence', (value, message) => {
    expect(checkConnect(value)).toMatchObject({ ok: false, error: { code: 'invalid_input', retryable: false, message } });
  });
});

describe('the connect query', () => {
  const from = (query: string) => connectFromQuery(new URL(`ws://relay/agent?${query}`).searchParams);

  test('B1: every parameter finds its place', () => {
    const query =
      'world=lantern_night&character=mira&model=edge_medium&first_token_ms=5&full_response_ms=250&subscribe=tick,collision&observe=true&spectate=true&wait_ms=60000';
    expect(from(query)).toEqual({
      ok: true,
      connect: {
        world: 'lantern_night',
        character: 'mira',
        agent_model: { class: 'edge_medium', expected_first_token_ms: 5, expected_full_response_ms: 250 },
        event_subscriptions: ['tick', 'collision'],
        observe: true,
        spectate: true,
        wait_ms: 60_000,
      },
    });
  });

  test('B1: what is absent or empty asks for nothing, but an empty subscribe asks for no topic', () => {
    expect(from('')).toEqual({ ok: true, connect: {} });
    expect(from('world=&character=&model=&first_token_ms=&full_response_ms=&observe=&spectate=&wait_ms=')).toEqual({
      ok: true,
      connect: {},
    });
    expect(from('subscribe=')).toEqual({ ok: true, connect: { event_subscriptions: [] } });
  });

  test('B2: response times without a model belong to a cloud_medium', () => {
    expect(from('full_response_ms=0')).toEqual({
      ok: true,
      connect: { agent_model: { class: 'cloud_medium', expected_full_response_ms: 0 } },
    });
  });

  test('B1: names are taken as they stand, whatever they are called', () => {
    expect(from('world=a%20b%2Fc&character=__proto__&observe=0')).toEqual({
      ok: true,
      connect: { world: 'a b/c', character: '__proto__', observe: false },
    });
  });

  test.each([
    ['model=gpt', 'the query parameter model must be one of edge_small, edge_medium, cloud_medium, cloud_large, got "gpt"'],
    ['wait_ms=60001', 'the query parameter wait_ms must be whole milliseconds from 0 to 60000, got "60001"'],
    ['wait_ms=-1', 'the query parameter wait_ms must be whole milliseconds from 0 to 60000, got "-1"'],
    ['wait_ms=1e3', 'the query parameter wait_ms must be whole milliseconds from 0 to 60000, got "1e3"'],
    [
      'first_token_ms=9007199254740992',
      'the query parameter first_token_ms must be whole milliseconds from 0 to 9007199254740991, got "9007199254740992"',
    ],
    ['spectate=2', 'the query parameter spectate must be true or false, got "2"'],
    ['observe=maybe', 'the query parameter observe must be true or false, got "maybe"'],
    [
      'subscribe=tick,,audio',
      'the query parameter subscribe must be a list of tick, collision, audio, state_change, agent_message with commas between, got ""',
    ],
    ['world=a&world=b', 'the query parameter world must be given once'],
    [
      'chracter=mira',
      'the query parameter "chracter" is not known: there are world, character, model, first_token_ms, full_response_ms, subscribe, observe, spectate, wait_ms',
    ],
  ])('B1: %s is refused in a sentence', (query, message) => {
    expect(from(query)).toMatchObject({ ok: false, error: { code: 'invalid_input', retryable: false, message } });
  });

  test.each(['token=s3cret', 'access_token=s3cret', 'bearer=s3cret', 'world=a&Authorization=s3cret'])(
    'B5: a token in the URL is refused and not repeated: %s',
    (query) => {
      const check = from(query);
      expect(check).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^a token must not be in the URL/) } });
      expect(JSON.stringify(check)).not.toContain('s3cret');
    },
  );
});
