import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Framed, NdjsonFramer } from '../../src/protocol/index.ts';

const utf8 = new TextEncoder();
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...utf8.encode(part)] : part)));
const push = (framer: NdjsonFramer, ...parts: (string | number[])[]) => framer.push(bytes(...parts));
const line = (text: string): Framed => ({ line: text });
const notUtf8: Framed = { fault: { code: 1007, message: 'the message must be UTF-8', fatal: false } };
const tooLong = (limit: number): Framed => ({ fault: { code: 1009, message: `a message must be at most ${limit} bytes`, fatal: true } });

/** One character, of one to four bytes. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }), fc.nat(0x7f))
  .map((point) => String.fromCodePoint(point));

/** The bytes in pieces that are cut at the given places. */
function* cut(whole: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield whole.slice(from, end);
    from = end;
  }
}

function frame(whole: Uint8Array, places: readonly number[], limit?: number): Framed[] {
  const framer = new NdjsonFramer(limit);
  return [...cut(whole, places)].flatMap((piece) => {
    const framed = framer.push(piece);
    piece.fill(0xff); // sockets use their buffers again
    return framed;
  });
}

describe('lines', () => {
  test('A1: LF ends a line, one CR before it is dropped, and what is not ended waits', () => {
    const framer = new NdjsonFramer();
    expect(push(framer, '{"a":1}\n{"b":2}\r\n{"c"')).toEqual([line('{"a":1}'), line('{"b":2}')]);
    expect(push(framer, ':3}')).toEqual([]);
    expect(push(framer, '\r')).toEqual([]);
    expect(push(framer, '\n')).toEqual([line('{"c":3}')]);
    expect(push(framer, 'a\rb\r\r\n')).toEqual([line('a\rb\r')]);
  });

  test('A1: blank lines are skipped', () => {
    expect(push(new NdjsonFramer(), '\n\r\n  \n\t\r\n\n{}\n\n')).toEqual([line('{}')]);
  });

  test('W3: a protocol that answers every line gets the blank ones too', () => {
    const framer = new NdjsonFramer(undefined, { keepBlank: true });
    expect(push(framer, '\n{}\r\n \n')).toEqual([line(''), line('{}'), line(' ')]);
    expect(push(framer, '\r')).toEqual([]);
    expect(push(framer, '\n')).toEqual([line('')]);
  });

  test('A1: a byte order mark is not taken away', () => {
    expect(push(new NdjsonFramer(), [0xef, 0xbb, 0xbf], '{}\n')).toEqual([line('\uFEFF{}')]);
  });

  test('A1: any text comes out as it went in, wherever the bytes are split', () => {
    const text = fc.string({ unit: codePoint }).map((each) => each.replace(/[\n\r]/g, '_').replace(/^[ \t]+$/, '_'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom('\n', '\r\n')), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (lines, places) => {
          const whole = bytes(lines.map(([each, end]) => each + end).join(''));
          expect(frame(whole, places)).toEqual(lines.filter(([each]) => each !== '').map(([each]) => line(each)));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('A1: one byte at a time is no different', () => {
    const whole = bytes('{"text":"Grüße, 世界 😀"}\r\n\n{}\n');
    expect(frame(whole, [...whole.keys()])).toEqual([line('{"text":"Grüße, 世界 😀"}'), line('{}')]);
  });

  test('A1: any bytes at all give the same lines and faults however they are split', () => {
    const byte = fc.oneof(fc.constantFrom(10, 13, 32, 0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0), fc.nat(255));
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (list, places, limit) => {
          const whole = Uint8Array.from(list);
          expect(frame(whole, places, limit)).toEqual(frame(whole, [], limit));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('strict UTF-8', () => {
  test.each([
    ['a lone continuation byte', [0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
    ['0xff', [0xff]],
  ])('A1: %s spoils its line at any place and no other', (_name, wrong) => {
    for (let at = 0; at <= 4; at++) {
      const framed = frame(bytes('before\n', 'abcd'.slice(0, at), wrong, 'abcd'.slice(at), '\nafter\n'), [7 + at, 8 + at]);
      expect(framed).toEqual([line('before'), notUtf8, line('after')]);
    }
  });
});

describe('the limit', () => {
  const LIMIT = 1_048_576;
  const long = (length: number, ...ends: string[]) => {
    const end = utf8.encode(ends.join(''));
    const whole = new Uint8Array(length + end.length).fill(0x61);
    whole.set(end, length);
    return whole;
  };

  test.each(['\n', '\r\n'])('A2: a line of 1,048,576 bytes passes, ended by %j', (end) => {
    const whole = long(LIMIT, end, 'next\n');
    for (const places of [[], [1], [LIMIT - 1], [LIMIT], [LIMIT + 1], [LIMIT, LIMIT + 1], [65_536, 131_072]]) {
      const [first, ...more] = frame(whole, places);
      expect((first as { line: string }).line === 'a'.repeat(LIMIT)).toBe(true);
      expect(more).toEqual([line('next')]);
    }
  });

  test.each(['\n', '\r\n'])('A2: one byte more is fatal, ended by %j, and nothing comes after it', (end) => {
    const whole = long(LIMIT + 1, end, 'next\n');
    for (const places of [[], [1], [LIMIT], [LIMIT + 1], [LIMIT + 2]]) expect(frame(whole, places)).toEqual([tooLong(LIMIT)]);
  });

  test('A2: too long is told at the first byte that is too many, not at the end of the line', () => {
    const framer = new NdjsonFramer(8);
    expect(push(framer, '12345678')).toEqual([]);
    expect(push(framer, '9')).toEqual([tooLong(8)]);
    expect(push(framer, '\n{}\n')).toEqual([]);
  });

  test('A2: a CR past a full line must be its end', () => {
    for (const [after, expected] of [
      ['\n', line('12345678')],
      ['x\n', tooLong(8)],
      ['\r\n', tooLong(8)],
    ] as const) {
      const framer = new NdjsonFramer(8);
      expect(push(framer, '12345678\r')).toEqual([]);
      expect(push(framer, after)).toEqual([expected]);
    }
  });

  test('A2: of two CRs after a line one short of full, one is the line end', () => {
    expect(push(new NdjsonFramer(8), '1234567\r\r\n')).toEqual([line('1234567\r')]);
  });

  test('A2: bytes are counted, not characters', () => {
    expect(frame(bytes('é'.repeat(4), '\n'), [3], 8)).toEqual([line('éééé')]);
    expect(frame(bytes('é'.repeat(4), 'a\n'), [3], 8)).toEqual([tooLong(8)]);
  });

  test('A2: lines before the long one are still given', () => {
    expect(push(new NdjsonFramer(4), 'ab\ncd\nefghi\n')).toEqual([line('ab'), line('cd'), tooLong(4)]);
  });

  test('A2: the limit holds for each line, not for the connection', () => {
    const framer = new NdjsonFramer(8);
    for (let round = 0; round < 100; round++) expect(push(framer, '12345678\n')).toEqual([line('12345678')]);
  });

  test('A2: memory for an unfinished line is never more than the limit, and a long line is let go of when it ends', () => {
    const framer = new NdjsonFramer();
    const slab = new Uint8Array(65_536).fill(0x61);
    for (let sent = 0; sent < 100; sent++) framer.push(slab.subarray(0, 1));
    expect(framer.reservedBytes).toBeLessThan(1_000);
    for (let sent = 0; sent < 15; sent++) framer.push(slab);
    expect(framer.reservedBytes).toBeGreaterThan(15 * 65_536);
    framer.push(slab.subarray(100));
    expect(framer.reservedBytes).toBe(LIMIT);
    expect(push(framer, '\r\n')).toHaveLength(1);
    expect(framer.reservedBytes).toBe(0);
    framer.push(long(LIMIT));
    expect(push(framer, 'b')).toEqual([tooLong(LIMIT)]);
    expect(framer.reservedBytes).toBe(0);
  });
});
