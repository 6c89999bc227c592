import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { callContent } from '../../src/protocol/index.ts';

describe('what makes two calls the same', () => {
  test('D1: the order of members does not matter, that of elements does', () => {
    expect(callContent('a', { x: 1, y: { p: [1, 2], q: null } })).toBe(callContent('a', { y: { q: null, p: [1, 2] }, x: 1 }));
    expect(callContent('a', { x: [1, 2] })).not.toBe(callContent('a', { x: [2, 1] }));
  });

  test('D1: tool, names, values and types matter', () => {
    const contents = [
      callContent('a', { x: 1 }),
      callContent('b', { x: 1 }),
      callContent('a', { y: 1 }),
      callContent('a', { x: 2 }),
      callContent('a', { x: '1' }),
      callContent('a', { x: [1] }),
      callContent('a', { x: 1, y: null }),
      callContent('a', {}),
      callContent('a', JSON.parse('{"__proto__":{"x":1}}')),
    ];
    expect(new Set(contents).size).toBe(contents.length);
  });

  test('D1: a long input is remembered in few bytes and still told from another', () => {
    const text = 'x'.repeat(1_000_000);
    const contents = [{ text }, { text: `${text}x` }, { text: `y${text.slice(1)}` }, { text: `${text.slice(1)}y` }].map((input) =>
      callContent('say', input),
    );
    expect(new Set(contents).size).toBe(4);
    for (const content of contents) expect(content.length).toBeLessThan(64);
    expect(callContent('say', { a: text, b: 1 })).toBe(callContent('say', { b: 1, a: text }));
  });

  test('D1: whatever the input, the same JSON in another order of members gives the same content', () => {
    const reversed = (value: Json): Json => {
      if (value === null || typeof value !== 'object') return value;
      if (Array.isArray(value)) return value.map(reversed);
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, each]) => [key, reversed(each)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const input = JSON.parse(JSON.stringify(value)) as Json;
        expect(callContent('a', reversed(input))).toBe(callContent('a', input));
      }),
    );
  });
});
