import { describe, expect, test } from 'vitest';
import { checkGameToRelay, checkRelayToGame, type GameToRelay, type RelayToGame } from '../../src/protocol/index.ts';
import { MESSAGE, SESSION } from '../fixtures/messages.ts';

const mira = { id: 'mira', description: 'A companion.', default: true, sessions: 0, max_sessions: 1, driver: 'builtin' } as const;

const toRelay: GameToRelay[] = [
  {
    type: 'hello',
    version: 1,
    world: { name: 'lantern_night', kind: '2d' },
    instance: SESSION,
    characters: [mira, { ...mira, id: 'old_tam', default: false, driver: 'none' }],
    sessions: [{ session_id: SESSION, character: 'mira', principal: 'anonymous' }],
  },
  { type: 'hello', version: 1, world: { name: 'w', kind: 'text' }, instance: SESSION, characters: [], sessions: [] },
  { type: 'characters', characters: [mira] },
  { type: 'changed', characters: [{ ...mira, sessions: 1 }], gone: ['old_tam'] },
  { type: 'rest', characters: [mira], sessions: [] },
  { type: 'opened', conn: 0, session_id: SESSION, character: 'mira' },
  { type: 'refused', conn: 1, error: { code: 'tool_unavailable', message: 'taken', retryable: true }, absent: false },
  { type: 'close', conn: 2, code: 1000, reason: '' },
];

const toGame: RelayToGame[] = [
  { type: 'welcome', world: 'lantern_night-2' },
  { type: 'open', conn: 0, request: { principal: 'anonymous' } },
  {
    type: 'open',
    conn: 1,
    request: {
      character: 'mira',
      agent_model: { class: 'edge_small' },
      event_subscriptions: ['tick'],
      observe: true,
      resume: SESSION,
      last_seq: 7,
      principal: 'qa',
      capabilities: ['vision'],
      characters: ['mira'],
    },
  },
  { type: 'refused_call', conn: 1, call: { call_id: 'c', content: '', error: '/input must be an object, got null' } },
  { type: 'refused_call', conn: 1, call: { call_id: 'c', session_id: SESSION, message_id: MESSAGE, content: '["a",1]', error: 'no' } },
  { type: 'close', conn: 1, clean: false },
  { type: 'hold', conn: 1 },
  { type: 'release', conn: 1 },
  { type: 'quiet', conn: 1, quiet: true },
  { type: 'alive' },
];

describe('control messages of the game link', () => {
  test('words of a newer end are taken: another driver, another kind of world, members anywhere', () => {
    const strange = { ...mira, driver: 'swarm', mood: 'calm' };
    const hello = { ...toRelay[0], world: { name: 'w', kind: 'vr', size: 3 }, characters: [strange] };
    expect(checkGameToRelay(hello)).toEqual({ ok: true, message: hello });
    expect(checkGameToRelay({ type: 'toString' })).toMatchObject({ ok: false, unknown: 'the message "toString"' });
  });

  test.each(toRelay)('a game may send %j', (message) => {
    expect(checkGameToRelay(JSON.parse(JSON.stringify(message)))).toEqual({ ok: true, message });
  });

  test.each(toGame)('a relay may send %j', (message) => {
    expect(checkRelayToGame(JSON.parse(JSON.stringify(message)))).toEqual({ ok: true, message });
  });

  test('every member that a type requires is required by the schema, and one that a newer end adds is passed over and named', () => {
    for (const [messages, check] of [
      [toRelay, checkGameToRelay],
      [toGame, checkRelayToGame],
    ] as const) {
      for (const message of messages) {
        for (const name of Object.keys(message)) {
          const rest: Record<string, unknown> = { ...message };
          delete rest[name];
          expect(check(rest), `${message.type} without ${name}`).toMatchObject({
            ok: false,
            problem: expect.stringContaining(`/${name} `),
          });
        }
        expect(check({ ...message, extra: 1 })).toEqual({
          ok: true,
          message: { ...message, extra: 1 },
          unknown: `the member "extra" of ${message.type}`,
        });
      }
    }
  });

  test('the directions are not mixed up', () => {
    expect(checkGameToRelay({ type: 'close', conn: 1, clean: true })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('/code is missing'),
    });
    expect(checkRelayToGame({ type: 'close', conn: 1, code: 1000, reason: '' })).toMatchObject({ ok: false });
    expect(checkRelayToGame(toRelay[0])).toEqual({
      ok: false,
      problem:
        '/type must be one of welcome, alive, open, refused_call, close, hold, release, quiet, interaction, end, got the string "hello"',
      unknown: 'the message "hello"',
    });
  });

  test.each([
    [{ ...toRelay[0], version: 2 }, '/version must be 1, got 2'],
    [{ ...toRelay[0], instance: 'me' }, '/instance must be a UUID like 123e4567-e89b-42d3-a456-426614174000, got the string "me"'],
    [{ type: 'characters', characters: [{ ...mira, driver: 1 }] }, '/characters/0/driver must be a string that is not empty, got 1'],
    [{ type: 'close', conn: 1, code: 999, reason: '' }, '/code must be an integer from 1000 to 4999, got 999'],
    [{ type: 'opened', conn: -1, session_id: SESSION, character: 'mira' }, '/conn must be an integer of at least 0, got -1'],
    [{ type: 1 }, '/type must be one of hello, rest, changed, characters, opened, refused, close, session_over, interaction_over, got 1'],
    [[], 'the message must be a JSON object, got an array'],
  ])('%j is refused in a sentence', (value, problem) => {
    expect(checkGameToRelay(value)).toEqual({ ok: false, problem });
  });
});
