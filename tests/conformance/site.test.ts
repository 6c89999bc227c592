import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Site } from '../../src/conformance/site.ts';
import { Standing } from '../../src/conformance/standing.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

/** A relay that knows no session, and says so when its time has come. */
function young(graceMs: number) {
  const passed = { ms: 0 };
  const site = new Site({
    standing: new Standing(),
    patienceMs: 1,
    async pass(ms) {
      passed.ms += ms;
    },
    target: {
      transport: 'websocket',
      async connect(events) {
        const send = () => {
          const isYoung = passed.ms < graceMs;
          const error = { code: isYoung ? 'tool_unavailable' : 'session_expired', message: 'unknown', retryable: isYoung };
          events.text(JSON.stringify({ protocol: 'aicc/0.1', type: 'error', session_id: NIL, message_id: randomUUID(), error }));
        };
        return { send, sendBytes() {}, pause() {}, resume() {}, close() {}, cut() {} };
      },
    },
  });
  return { passed, site };
}

describe('C6: a relay that does not know a session', () => {
  test.each([0, 100, 9_900, 10_000])('may say after %i ms that it is expired, however little patience there is', async (graceMs) => {
    const { passed, site } = young(graceMs);
    await site.expired(randomUUID());
    expect(passed.ms).toBe(graceMs);
  });

  test('must have said so after 10 s', async () => {
    const { passed, site } = young(60_000);
    await expect(site.expired(randomUUID())).rejects.toThrow('tool_unavailable');
    expect(passed.ms).toBeGreaterThanOrEqual(10_000);
    expect(passed.ms).toBeLessThan(60_000);
  });
});
