import { describe, expect, test } from 'vitest';
import { type AgentCheck, checkAgentMessage, checkAgentValue, checkBridgeMessage, checkBridgeValue } from '../../src/protocol/index.ts';
import { heartbeat, MESSAGE, SESSION, sessionInit, toolCall } from '../fixtures/messages.ts';

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
const check = (message: unknown) => checkAgentMessage(JSON.stringify(message));
const problem = (result: AgentCheck) => (result.ok ? undefined : result.error.message);

describe('A3: the order of checks', () => {
  test('A3: what is not JSON is refused first', () => {
    for (const text of ['', '{', 'hello', "{'a':1}", '{"a":1}{"b":2}', '\uFEFF{}', 'NaN', '{"a":01}']) {
      expect(problem(checkAgentMessage(text)), text).toMatch(/^the message must be one JSON object, but it is not JSON: /);
    }
  });

  test('A3: then what is not an object', () => {
    expect(problem(check([toolCall]))).toBe('the message must be a JSON object, got an array');
    expect(problem(check(null))).toBe('the message must be a JSON object, got null');
    expect(problem(check(4))).toBe('the message must be a JSON object, got 4');
    expect(problem(check('x'))).toBe('the message must be a JSON object, got the string "x"');
    expect(problem(checkAgentMessage('['.repeat(100) + ']'.repeat(100)))).toBe('the message must be a JSON object, got an array');
  });

  test('A3: then what nests too deep, before its protocol', () => {
    expect(check({ ...toolCall, protocol: 'aicc/9', input: nested(64) })).toMatchObject({
      ok: false,
      fatal: false,
      counted: true,
      messageId: MESSAGE,
      error: { code: 'invalid_input', message: 'the message must nest at most 64 objects and arrays deep' },
    });
  });

  test('A4: then another protocol, which is fatal and not counted, before its type', () => {
    for (const [protocol, got] of [
      ['aicc/0.2', 'the string "aicc/0.2"'],
      ['AICC/0.1', 'the string "AICC/0.1"'],
      ['', 'an empty string'],
      [null, 'null'],
      [0.1, '0.1'],
      [['aicc/0.1'], 'an array'],
    ] as const) {
      expect(check({ ...toolCall, type: 'nonsense', protocol })).toEqual({
        ok: false,
        fatal: true,
        counted: false,
        messageId: MESSAGE,
        error: expect.objectContaining({
          code: 'protocol_mismatch',
          retryable: false,
          message: `/protocol must be "aicc/0.1", got ${got}`,
        }),
      });
    }
  });

  test('A4: a missing protocol is an ordinary fault', () => {
    expect(check({ type: 'nonsense' })).toMatchObject({
      fatal: false,
      counted: true,
      error: { code: 'invalid_input', message: '/protocol is missing: it must be "aicc/0.1"' },
    });
  });

  test('A6: then the type, before any other member', () => {
    const allowed = 'one of session_resume, session_close, manifest_request, tool_call, heartbeat';
    const broken = { protocol: 'aicc/0.1', nonsense: true };
    expect(problem(check(broken))).toBe(`/type is missing: it must be ${allowed}`);
    expect(problem(check({ ...broken, type: 'jump' }))).toBe(`/type must be ${allowed}, got the string "jump"`);
    expect(problem(check({ ...broken, type: ['tool_call'] }))).toBe(`/type must be ${allowed}, got an array`);
    expect(problem(check({ ...broken, type: 'toString' }))).toBe(`/type must be ${allowed}, got the string "toString"`);
    expect(problem(check(sessionInit))).toBe(`/type must be ${allowed}, got the string "session_init", which only travels the other way`);
    expect(checkBridgeMessage(JSON.stringify(toolCall))).toMatchObject({
      error: {
        message:
          '/type must be one of session_init, session_close, tool_result, event, error, heartbeat, got the string "tool_call", which only travels the other way',
      },
    });
  });

  test('A3: last the schema of that type', () => {
    expect(problem(check({ ...heartbeat, session_id: 'me' }))).toBe(
      '/session_id must be a UUID like 123e4567-e89b-42d3-a456-426614174000, got the string "me"',
    );
  });

  test('A3: a value that is parsed already is checked the same way', () => {
    expect(checkAgentValue(toolCall)).toEqual({ ok: true, message: toolCall });
    expect(checkBridgeValue(sessionInit)).toEqual({ ok: true, message: sessionInit });
    expect(problem(checkAgentValue([]))).toBe('the message must be a JSON object, got an array');
    expect(problem(checkAgentValue({ ...toolCall, input: nested(64) }))).toBe('the message must nest at most 64 objects and arrays deep');
    expect(checkBridgeValue(undefined)).toMatchObject({
      ok: false,
      error: { message: 'the message must be a JSON object, got undefined' },
    });
  });
});

describe('A7: what the answer goes to', () => {
  test('A7: the message id is repeated only where it is a valid UUID', () => {
    expect(check({ ...heartbeat, x: 1 })).toMatchObject({ messageId: MESSAGE });
    for (const message_id of ['', 'x', 1, null, {}, `urn:uuid:${SESSION}`])
      expect(check({ ...heartbeat, message_id })).not.toHaveProperty('messageId');
    expect(check({ message_id: MESSAGE })).toMatchObject({ messageId: MESSAGE });
    expect(check([])).not.toHaveProperty('messageId');
  });

  test('A7: a malformed tool_call whose call_id can be read is named, so that its caller does not hang', () => {
    expect(check({ ...toolCall, input: 'north' })).toMatchObject({
      call: { call_id: 'c-1', session_id: SESSION, message_id: MESSAGE, content: '["move_to","north"]' },
    });
    expect(check({ type: 'tool_call', call_id: 'c-9' })).toMatchObject({
      error: { message: '/protocol is missing: it must be "aicc/0.1"' },
      call: { call_id: 'c-9', content: '[null,null]' },
    });
    expect(check({ ...toolCall, session_id: 'x', message_id: 'y' })).toMatchObject({
      call: { call_id: 'c-1', content: '["move_to",{"x":320,"y":96.5}]' },
    });
  });

  test('A7: so is one that nests too deep, however deep', () => {
    const [start, end] = JSON.stringify({ ...toolCall, input: 0 }).split(':0}') as [string, string];
    const text = `${start}:${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}}${end}`;
    expect(checkAgentMessage(text)).toMatchObject({
      messageId: MESSAGE,
      error: { message: 'the message must nest at most 64 objects and arrays deep' },
      call: { call_id: 'c-1', session_id: SESSION, content: '' },
    });
  });

  test('A7: no call is named where its call_id cannot be read, where it is another message, or where the connection ends (A4)', () => {
    for (const call_id of ['', 0, null, ['c']]) expect(check({ ...toolCall, call_id })).not.toHaveProperty('call');
    expect(check({ ...heartbeat, call_id: 'c-1' })).not.toHaveProperty('call');
    expect(check({ ...toolCall, protocol: 'aicc/2', input: 1 })).not.toHaveProperty('call');
  });
});
