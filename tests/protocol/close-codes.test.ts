import { expect, test } from 'vitest';
import { CLOSE_CODES } from '../../src/protocol/index.ts';
import { pageCode, sendableCode } from '../../src/transport/close-frame.ts';

test('C4, C5, C6: close codes have the numbers of the standard, or our own', () => {
  expect(CLOSE_CODES).toEqual({
    normal: 1000,
    goingAway: 1001,
    protocolError: 1002,
    unsupportedData: 1003,
    noCode: 1005,
    abnormal: 1006,
    notUtf8: 1007,
    policyViolation: 1008,
    tooLarge: 1009,
    extensionMissing: 1010,
    internalError: 1011,
    serviceRestart: 1012,
    tryAgainLater: 1013,
    unclean: 4000,
    replaced: 4001,
    overForNow: 4002,
    unauthorized: 4401,
  });
});

test.each([
  [1000, 1000, 1000],
  [1001, 4000, 1001],
  [1004, 4000, 4000],
  [1005, 4000, 4000],
  [1006, 4000, 4000],
  [1014, 4000, 1014],
  [1015, 4000, 4000],
  [2999, 4000, 4000],
  [3000, 3000, 3000],
  [4999, 4999, 4999],
  [5000, 4000, 4000],
])('C4: what cannot be said in a close frame is said as an unclean end: %i by a page as %i, by Node as %i', (code, page, node) => {
  expect(pageCode(code)).toBe(page);
  expect(sendableCode(code)).toBe(node);
});
