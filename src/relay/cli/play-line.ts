import type { CatalogueTool, Json, JsonObject } from '../../agent/node.ts';
import { type Field, fieldsOf } from './tool-text.ts';

/** Words of the prompt that are no tools. */
const PLAY_COMMANDS = ['help', 'snapshot', 'quit'] as const;
export type PlayCommand = (typeof PLAY_COMMANDS)[number];

export type PlayLine =
  | { kind: 'nothing' }
  | { kind: 'command'; command: PlayCommand; rest: string }
  | { kind: 'call'; tool: string; input: JsonObject }
  | { kind: 'problem'; problem: string };

/**
 * Reads one line of the prompt. The input of a tool is a JSON object, or `field=value` pairs (a value is JSON or else text, quoted if it has
 * spaces), or plain words for a tool whose only required field is a text.
 */
export function readPlayLine(line: string, tools: readonly CatalogueTool[]): PlayLine {
  const [, first = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  if (first === '') return { kind: 'nothing' };
  // A tool of the game that is named like a command is meant.
  const tool = tools.find((each) => each.id === first);
  if (tool !== undefined) return readCall(tool, rest);
  const command = PLAY_COMMANDS.find((each) => each === first);
  if (command !== undefined) return { kind: 'command', command, rest };
  return { kind: 'problem', problem: `there is no tool "${first}"; press Tab for the list` };
}

function readCall(tool: CatalogueTool, rest: string): PlayLine {
  const problem = (text: string): PlayLine => ({ kind: 'problem', problem: text });
  const call = (input: JsonObject): PlayLine => ({ kind: 'call', tool: tool.id, input });
  if (rest === '') return call({});
  if (rest.startsWith('{')) {
    try {
      return call(JSON.parse(rest) as JsonObject);
    } catch (error) {
      return problem(`that is not JSON: ${(error as Error).message}`);
    }
  }
  const pairs = readPairs(rest);
  if (pairs !== undefined) return call(pairs);
  const required = fieldsOf(tool).filter((field) => field.required);
  const only = required.length === 1 ? required[0] : undefined;
  if (only?.type === 'string') return call({ [only.name]: rest });
  return problem(`say the input as field=value pairs or as a JSON object; press Tab for the fields of ${tool.id}`);
}

const PAIR = /\s*([A-Za-z_]\w*)=("(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]|\S*)(?=\s|$)/y;

function readPairs(text: string): JsonObject | undefined {
  const input: [string, Json][] = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const match = PAIR.exec(text);
    if (match === null) return undefined;
    const [, name = '', value = ''] = match;
    input.push([name, jsonOrText(value)]);
  }
  return Object.fromEntries(input);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Tab: tool ids and commands first, then the tool's fields not yet used, then a field's values. In readline's form: what fits, and to what. */
export function completePlayLine(line: string, tools: readonly CatalogueTool[]): [string[], string] {
  const words = line.trimStart().split(/\s+/);
  const last = words[words.length - 1] ?? '';
  const fitting = (all: readonly string[]): [string[], string] => [all.filter((each) => each.startsWith(last)), last];
  if (words.length === 1) return fitting([...tools.map((tool) => `${tool.id} `), ...PLAY_COMMANDS.map((each) => `${each} `)]);
  if (words[0] === 'help' && words.length === 2) return fitting(tools.map((tool) => tool.id));
  const tool = tools.find((each) => each.id === words[0]);
  if (tool === undefined || words[1]?.startsWith('{')) return [[], last];
  const fields = fieldsOf(tool);
  const name = /^(\w+)=/.exec(last)?.[1];
  if (name !== undefined) return fitting(valuesOf(fields, name).map((value) => `${name}=${value} `));
  const used = new Set(words.slice(1, -1).map((word) => word.split('=')[0]));
  return fitting(fields.filter((field) => !used.has(field.name)).map((field) => `${field.name}=`));
}

function valuesOf(fields: Field[], name: string): readonly string[] {
  return fields.find((field) => field.name === name)?.values ?? [];
}
