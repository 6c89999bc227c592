import type { CatalogueTool } from '../../agent/node.ts';
import { isObject } from '../../base/json.ts';

/** One member of a tool's input, as far as its schema says. */
export interface Field {
  name: string;
  /** `number`, `"left" | "right"`, or `any`. */
  type: string;
  required: boolean;
  /** What it can be, where that is a short list. */
  values: readonly string[];
}

/** The members that a tool's input schema declares at its top. */
export function fieldsOf(tool: CatalogueTool): Field[] {
  const { properties, required } = tool.input_schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const { type, enum: list } = isObject(schema) ? schema : {};
    const values = Array.isArray(list) ? list.map(String) : type === 'boolean' ? ['true', 'false'] : [];
    const kind = Array.isArray(list) ? list.map((each) => JSON.stringify(each)).join(' | ') : typeof type === 'string' ? type : 'any';
    return { name, type: kind, required: Array.isArray(required) && required.includes(name), values };
  });
}

/** `x: number, y: number, target?: string`; empty for a tool without input. */
function signature(tool: CatalogueTool): string {
  return fieldsOf(tool)
    .map(({ name, required, type }) => `${name}${required ? '' : '?'}: ${type}`)
    .join(', ');
}

/** The catalogue, one paragraph a tool. */
export function listTools(tools: readonly CatalogueTool[]): string {
  return tools.map((tool) => `${tool.id}(${signature(tool)})  ${tool.class}\n    ${tool.description}`).join('\n');
}

/** All there is to know about one tool. */
export function describeTool(tool: CatalogueTool): string {
  const { class: kind, id, input_schema, limits, output_schema, requires_capability, description } = tool;
  const more = [
    ...(limits?.calls_per_minute === undefined ? [] : [`at most ${limits.calls_per_minute} calls a minute`]),
    ...(limits?.calls_per_session === undefined ? [] : [`at most ${limits.calls_per_session} calls a session`]),
    ...(requires_capability === undefined ? [] : [`needs the capability ${requires_capability}`]),
  ];
  return [
    `${id}(${signature(tool)})  ${kind}`,
    `    ${description}`,
    ...more.map((each) => `    ${each}`),
    `input: ${JSON.stringify(input_schema, null, 2)}`,
    `output: ${JSON.stringify(output_schema, null, 2)}`,
  ].join('\n');
}
