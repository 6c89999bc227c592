import { expect, test } from 'vitest';
import { Notebook, noteIn } from '../../demo-game/rules/notebook.ts';

test('a line that begins with # is a note; any other is meant to be said', () => {
  expect(noteIn('# oil by the well ')).toBe('oil by the well');
  expect(noteIn('  #7')).toBe('7');
  expect(noteIn('#')).toBe('');
  expect(noteIn('lantern #2 is dark')).toBeUndefined();
});

test('a notebook keeps the eight newest notes, 120 letters of each', () => {
  const notebook = new Notebook();
  for (let n = 1; n <= 8; n++) notebook.write(`note ${n}`);
  expect(notebook.notes).toHaveLength(8);
  notebook.write('x'.repeat(121));
  expect(notebook.notes[0]).toBe('note 2');
  expect(notebook.notes.at(-1)).toBe('x'.repeat(120));
  expect(notebook.notes).toHaveLength(8);
});
