import { describe, expect, test } from 'vitest';
import { decodeFrame, encodeLines, FrameBatcher } from '../../src/transport/index.ts';

describe('frames of lines', () => {
  test('a line is the connection in base 36, a space, and the text', () => {
    const lines = [
      { conn: 1, text: '{"a":1}' },
      { conn: 35, text: '{"b":" x "}' },
      { conn: 46_655, text: '' },
    ];
    expect(encodeLines(lines)).toBe('1 {"a":1}\nz {"b":" x "}\nzzz ');
    expect(decodeFrame('1 {"a":1}\nz {"b":" x "}\nzzz ')).toEqual(lines);
  });

  test('a raw newline inside a message becomes a space', () => {
    expect(encodeLines([{ conn: 1, text: '{\n"a":1\n}' }])).toBe('1 { "a":1 }');
  });

  test.each(['', '1', ' x', '{"a":1}', '1 a\n', 'A {}', '-1 {}', '12345678901 {}'])('%j is malformed', (frame) => {
    expect(decodeFrame(frame)).toBeUndefined();
  });
});

describe('FrameBatcher', () => {
  const make = () => {
    const frames: string[] = [];
    const deferred: (() => void)[] = [];
    const batcher = new FrameBatcher({ send: (frame) => frames.push(frame), defer: (run) => deferred.push(run) });
    return { batcher, frames, turn: () => deferred.splice(0).forEach((run) => void run()) };
  };

  test('the lines of one turn leave in one frame', () => {
    const { batcher, frames, turn } = make();
    batcher.line(1, 'a');
    batcher.line(2, 'b');
    expect(frames).toEqual([]);
    expect(batcher.pending).toBe(8);
    turn();
    batcher.line(1, 'c');
    turn();
    turn();
    expect(frames).toEqual(['1 a\n2 b', '1 c']);
  });

  test('a control message leaves at once, after the lines before it', () => {
    const { batcher, frames, turn } = make();
    batcher.line(1, 'a');
    batcher.control({ type: 'close' });
    batcher.line(1, 'b');
    turn();
    expect(frames).toEqual(['1 a', '{"type":"close"}', '1 b']);
  });

  test('a frame leaves early at 262,144 characters, so none comes near 4 MiB', () => {
    const { batcher, frames, turn } = make();
    batcher.line(1, 'x'.repeat(262_144 - 4));
    expect(frames).toHaveLength(0);
    batcher.line(1, '');
    expect(frames).toHaveLength(1);
    turn();
    batcher.line(1, 'x'.repeat(1_048_576));
    expect(frames).toHaveLength(2);
    turn();
    expect(frames).toHaveLength(2);
  });
});
