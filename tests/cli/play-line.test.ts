import { describe, expect, test } from 'vitest';
import { completePlayLine, readPlayLine } from '../../src/relay/cli/play-line.ts';

const tool = (id: string, properties: Record<string, object> = {}, required: string[] = []) => ({
  id,
  class: 'actuator' as const,
  description: id,
  input_schema: { type: 'object', properties: properties as Record<string, never>, required },
  output_schema: {},
});

const TOOLS = [
  tool('move_to', { x: { type: 'number' }, y: { type: 'number' }, target: { type: 'string' } }),
  tool('say', { text: { type: 'string' }, loud: { type: 'boolean' } }, ['text']),
  tool('face', { side: { enum: ['left', 'right'] } }, ['side']),
  tool('stop'),
];

describe('a line of the prompt', () => {
  const call = (line: string) => {
    const read = readPlayLine(line, TOOLS);
    return read.kind === 'call' ? [read.tool, read.input] : read;
  };

  test('calls a tool with a JSON object, with pairs or with nothing', () => {
    expect(call('move_to {"x": 1, "y": -2.5}')).toEqual(['move_to', { x: 1, y: -2.5 }]);
    expect(call('  move_to x=1 y=-2.5  ')).toEqual(['move_to', { x: 1, y: -2.5 }]);
    expect(call('stop')).toEqual(['stop', {}]);
  });

  test('takes a pair’s value as JSON where it is, else as text; quotes keep spaces', () => {
    expect(call('say text="a \\"b\\" c" loud=true')).toEqual(['say', { text: 'a "b" c', loud: true }]);
    expect(call('move_to target=lantern_2')).toEqual(['move_to', { target: 'lantern_2' }]);
    expect(call('move_to target={"a": 1}')).toEqual(['move_to', { target: { a: 1 } }]);
    expect(call('move_to target=')).toEqual(['move_to', { target: '' }]);
  });

  test('takes plain words for a tool whose only required field is a text', () => {
    expect(call('say Hello there, x=3 is it?')).toEqual(['say', { text: 'Hello there, x=3 is it?' }]);
    expect(call('face left')).toMatchObject({ kind: 'problem', problem: expect.stringContaining('face') });
    expect(call('move_to somewhere')).toMatchObject({ kind: 'problem' });
  });

  test('tells what is wrong', () => {
    expect(call('fly')).toEqual({ kind: 'problem', problem: 'there is no tool "fly"; press Tab for the list' });
    expect(call('move_to {"x": }')).toMatchObject({ kind: 'problem', problem: expect.stringContaining('not JSON') });
  });

  test('knows the commands, unless a tool has that name', () => {
    expect(call('help move_to')).toEqual({ kind: 'command', command: 'help', rest: 'move_to' });
    expect(call('')).toEqual({ kind: 'nothing' });
    expect(readPlayLine('help', [tool('help')])).toMatchObject({ kind: 'call', tool: 'help' });
  });
});

describe('Tab', () => {
  const complete = (line: string) => completePlayLine(line, TOOLS);

  test('completes tool ids and commands at the first word', () => {
    expect(complete('mo')).toEqual([['move_to '], 'mo']);
    expect(complete('s')).toEqual([['say ', 'stop ', 'snapshot '], 's']);
    expect(complete('')[0]).toHaveLength(TOOLS.length + 3);
  });

  test('completes the fields of the tool that are not used yet', () => {
    expect(complete('move_to ')).toEqual([['x=', 'y=', 'target='], '']);
    expect(complete('move_to x=1 ')).toEqual([['y=', 'target='], '']);
    expect(complete('move_to x=1 ta')).toEqual([['target='], 'ta']);
    expect(complete('fly ')).toEqual([[], '']);
    expect(complete('move_to {"x": 1, ')).toEqual([[], '']);
  });

  test('completes the values that a field can have', () => {
    expect(complete('face side=')).toEqual([['side=left ', 'side=right '], 'side=']);
    expect(complete('face side=r')).toEqual([['side=right '], 'side=r']);
    expect(complete('say loud=')).toEqual([['loud=true ', 'loud=false '], 'loud=']);
    expect(complete('move_to x=')).toEqual([[], 'x=']);
  });

  test('completes the tool that help is asked about', () => {
    expect(complete('help m')).toEqual([['move_to'], 'm']);
  });
});
