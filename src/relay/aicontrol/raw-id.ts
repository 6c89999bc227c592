import type { Json } from '../../base/json.ts';

/** One token of JSON, after space: a string, something that opens or closes or parts, or a literal. */
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

/**
 * The JSON text of a request's id, to be repeated in the answer (AiControl W5). A number that would not come back as it was (a 64-bit counter, say)
 * is taken from the line.
 * @param line JSON of an object that has the id
 */
export function idText(id: Json, line: string): string {
  return isExact(id) ? JSON.stringify(id) : rawId(line);
}

function isExact(value: Json): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isExact);
}

/** Walks the tokens of the outermost object; of several ids the last one counts, as for JSON.parse. */
function rawId(line: string): string {
  let found = '';
  let depth = 0;
  let key = '';
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(line)?.[1]; token !== undefined; token = TOKEN.exec(line)?.[1]) {
    const end = TOKEN.lastIndex;
    if (depth === 1 && token === ':') from = end;
    else if (depth === 1 && (token === ',' || token === '}')) {
      if (key === 'id') found = line.slice(from, end - 1).trim();
      key = '';
    } else if (depth === 1 && key === '' && token.startsWith('"')) key = JSON.parse(token);
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return found;
}
