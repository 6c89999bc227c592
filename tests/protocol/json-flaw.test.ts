import { describe, expect, test } from 'vitest';
import { flawOf } from '../../src/base/json-flaw.ts';
import { parseStrict } from '../../src/contract/strict-json.ts';
import { checkAgentMessage, checkBridgeMessage, parseMessage } from '../../src/protocol/index.ts';
import { readRequest } from '../../src/relay/aicontrol/rpc.ts';
import { SESSION, toolCall } from '../fixtures/messages.ts';

const FINITE = 'must be a finite number: NaN and numbers as large as 1e999 are refused';
const UNICODE = 'must be Unicode text: it has half of a surrogate pair';

const call = (input: string, callId = '"c1"') =>
  JSON.stringify({ ...toolCall, call_id: 'CALL', input: 'INPUT' })
    .replace('"CALL"', callId)
    .replace('"INPUT"', input);

const FLAWS: [input: string, problem: string][] = [
  ['{"x":1e999}', `/input/x ${FINITE}`],
  ['{"x":-1e999}', `/input/x ${FINITE}`],
  ['{"x":1E400}', `/input/x ${FINITE}`],
  [`{"x":${'9'.repeat(400)}}`, `/input/x ${FINITE}`],
  ['{"way":[0,{"a/b":[1e999]}]}', `/input/way/1/a~1b/0 ${FINITE}`],
  ['{"text":"\\ud800"}', `/input/text ${UNICODE}`],
  ['{"text":"\\udc00\\ud800"}', `/input/text ${UNICODE}`],
  ['{"text":"\ud83d, cut in the middle"}', `/input/text ${UNICODE}`],
  ['{"a":["fine","\\uDBFFx"]}', `/input/a/1 ${UNICODE}`],
  ['{"\\ud800":1}', `/input/\ufffd ${UNICODE}`],
];

describe('A3: what is JSON but cannot be passed on is refused at the parse', () => {
  test.each(FLAWS)('in a call with the input %s', (input, problem) => {
    const check = checkAgentMessage(call(input));
    expect(check).toMatchObject({ ok: false, fatal: false, counted: true, error: { code: 'invalid_input', message: problem } });
    // A7: its caller is owed a result.
    expect(check).toMatchObject({ call: { call_id: 'c1', session_id: SESSION } });
  });

  test.each(FLAWS)('in a message of the bridge with %s', (payload, problem) => {
    const event = `{"protocol":"aicc/0.1","type":"event","session_id":"${SESSION}","message_id":"${SESSION}","topic":"tick","payload":${payload}}`;
    expect(checkBridgeMessage(event)).toMatchObject({ error: { message: problem.replace('/input', '/payload') } });
  });

  test.each(FLAWS)('in a connect line with %s', (offer, problem) => {
    expect(parseMessage(`{"connect":{"session_offer":${offer}}}`)).toMatchObject({
      ok: false,
      problem: problem.replace('/input', '/connect/session_offer'),
    });
  });

  test.each(FLAWS)('W13: in params of AiControl with %s', (params, problem) => {
    const request = readRequest(`{"jsonrpc":"2.0","id":7,"method":"act","params":${params}}`);
    expect(request).toMatchObject({ id: '7', error: { code: 'invalidParams', message: problem.replace('/input', '/params') } });
  });

  test.each(FLAWS)('T7: in an OpenClasp body with %s', (body, problem) => {
    expect(parseStrict(body)).toEqual({ ok: false, problem: problem.replace('/input', '') });
  });

  test('a call_id that is no Unicode is answered by an error, for no result could repeat it', () => {
    expect(checkAgentMessage(call('{}', '"\\ud800"'))).not.toHaveProperty('call');
    expect(checkAgentMessage(call('{}', '"\\ud800"'))).toMatchObject({ error: { message: `/call_id ${UNICODE}` } });
  });

  test('whole pairs, the largest number and the smallest pass', () => {
    expect(checkAgentMessage(call('{"text":"😀 \\ud83d\\ude00","x":1.7976931348623157e308,"y":5e-324,"z":1e-999}'))).toMatchObject({
      ok: true,
    });
  });

  test('the depth is counted in what is asked, and a pointer is shortened', () => {
    expect(flawOf([[1]], 2, 'it')).toBeUndefined();
    expect(flawOf([[1]], 1, 'it')).toBe('it must nest at most 1 objects and arrays deep');
    expect(flawOf(Number.NaN, 1, 'it')).toBe(`it ${FINITE}`);
    expect(flawOf({ ['x'.repeat(100_000)]: Number.NaN }, 9, 'it')?.length).toBeLessThan(300);
  });
});
