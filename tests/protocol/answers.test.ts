import { describe, expect, test } from 'vitest';
import { isUuid } from '../../src/base/uuid.ts';
import { AiccError, ERROR_CODES, encodeMessage, errorMessage } from '../../src/protocol/index.ts';
import { error, MESSAGE, SESSION, toolCall } from '../fixtures/messages.ts';

describe('what goes on the wire', () => {
  test('A7: an error message names its session, or the nil UUID before there is one', () => {
    const expired = new AiccError('session_expired', 'no such session');
    expect(JSON.parse(errorMessage({ sessionId: SESSION, messageId: MESSAGE, error: expired }))).toEqual(error);
    expect(errorMessage({ messageId: MESSAGE, error: expired })).toBe(
      `{"protocol":"aicc/0.1","type":"error","session_id":"00000000-0000-0000-0000-000000000000","message_id":"${MESSAGE}","error":{"code":"session_expired","message":"no such session","retryable":false}}`,
    );
  });

  test('A1: a message is one line that names the protocol', () => {
    const { protocol: _added, ...rest } = { ...toolCall, input: { text: 'two\nlines' } };
    const text = encodeMessage(rest);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({ ...toolCall, input: { text: 'two\nlines' } });
  });

  test('D13: an error is never without words, and says by its code whether to try again unless told otherwise', () => {
    expect(new AiccError('execution_failed', '').toWire()).toEqual({
      code: 'execution_failed',
      message: 'execution_failed',
      retryable: false,
    });
    expect(new AiccError('tool_unavailable', 'busy').retryable).toBe(true);
    expect(new AiccError('tool_unavailable', 'never', false).retryable).toBe(false);
    expect(Object.entries(ERROR_CODES).flatMap(([code, { retryable }]) => (retryable ? [code] : []))).toEqual([
      'tool_unavailable',
      'timeout',
    ]);
  });
});

describe('UUIDs', () => {
  test('A3: the plain form in either case and of any version is one', () => {
    for (const id of [SESSION, MESSAGE, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      expect(isUuid(id)).toBe(true);
  });

  test('A3: no other form is', () => {
    const others = [
      '',
      `urn:uuid:${SESSION}`,
      `{${SESSION}}`,
      SESSION.replaceAll('-', ''),
      `${SESSION}\n`,
      ` ${SESSION}`,
      SESSION.slice(1),
      SESSION.replace('7', 'g'),
      7,
      null,
      [SESSION],
    ];
    for (const id of others) expect(isUuid(id), String(id)).toBe(false);
  });
});
