import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkAgentMessage,
  checkBridgeMessage,
  errorMessage,
  fitsMessage,
  isWithinDepth,
  parseMessage,
  utf8Bytes,
} from '../../src/protocol/index.ts';
import { fromAgent, fromBridge, MESSAGE } from '../fixtures/messages.ts';

const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
const arrays = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

/** Lone surrogates too. */
const codeUnit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff)).map((unit) => String.fromCharCode(unit));

describe('parseMessage', () => {
  test('A2: 64 levels pass and 65 do not, of objects and of arrays alike', () => {
    for (const make of [objects, arrays]) {
      expect(parseMessage(make(64))).toMatchObject({ ok: true });
      expect(parseMessage(make(65))).toMatchObject({ ok: false, problem: 'the message must nest at most 64 objects and arrays deep' });
      expect(parseMessage(make(100_000))).toMatchObject({ ok: false, problem: 'the message must nest at most 64 objects and arrays deep' });
    }
  });

  test('A2: brackets inside strings are not levels, and the deepest branch counts wherever it stands', () => {
    expect(parseMessage(JSON.stringify({ a: '{['.repeat(100) }))).toMatchObject({ ok: true });
    expect(parseMessage(`{"z":1,"a":[1,[2],${arrays(64)},3],"b":{}}`)).toMatchObject({ ok: false });
    expect(parseMessage(`{"z":1,"a":[1,[2],${arrays(62)},3],"b":{}}`)).toMatchObject({ ok: true });
  });

  test('A2: depth is what a plain count says it is', () => {
    const depthOf = (value: unknown): number =>
      value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, room) => {
        expect(isWithinDepth(value as never, room)).toBe(depthOf(value) <= room);
      }),
    );
  });

  test('A3: any text at all gets an answer that is itself a valid message', () => {
    const text = fc.oneof(
      fc.string({ unit: codeUnit }),
      fc.json(),
      fc
        .tuple(
          fc.constantFrom(...Object.values({ ...fromAgent, ...fromBridge })),
          fc.nat(400),
          fc.string({ unit: codeUnit, maxLength: 3 }),
          fc.nat(3),
        )
        .map(([message, at, inserted, removed]) => {
          const whole = JSON.stringify(message);
          return whole.slice(0, at) + inserted + whole.slice(at + removed);
        }),
    );
    fc.assert(
      fc.property(text, (each) => {
        for (const check of [checkAgentMessage(each), checkBridgeMessage(each)]) {
          if (check.ok) continue;
          const answer = errorMessage({ messageId: check.messageId ?? MESSAGE, error: check.error });
          expect(checkBridgeMessage(answer)).toMatchObject({ ok: true });
          expect(check.error.message).not.toMatch(/\[object|function/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the size of a message', () => {
  test('A2: bytes are those of UTF-8', () => {
    expect(['', 'a', 'é', '€', '😀', '\ud800', '\udc00\ud800', '\ud83dx'].map(utf8Bytes)).toEqual([0, 1, 2, 3, 4, 3, 6, 4]);
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(fc.string({ unit: codeUnit }), (text) => {
        expect(utf8Bytes(text)).toBe(encoder.encode(text).length);
      }),
    );
  });

  test('A2: 1,048,576 bytes fit and one more does not, whatever the characters', () => {
    expect(fitsMessage('a'.repeat(1_048_576))).toBe(true);
    expect(fitsMessage('a'.repeat(1_048_577))).toBe(false);
    expect(fitsMessage('é'.repeat(524_288))).toBe(true);
    expect(fitsMessage(`${'é'.repeat(524_288)}a`)).toBe(false);
    expect(fitsMessage('😀'.repeat(262_144))).toBe(true);
    expect(fitsMessage(`${'😀'.repeat(262_144)}a`)).toBe(false);
  });
});
