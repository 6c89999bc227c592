import { AiccError } from '../protocol/index.ts';
import type { OpenRequest, Refusal } from './agent-port.ts';

/** Characters that an error names at most. */
const NAMED = 50;

/** B4: refuses an opening of a character that is not there, and names those that are, as far as the caller may know. */
export function absentCharacter({ character, characters }: OpenRequest, there: ReadonlyMap<string, unknown>): Refusal {
  const names: string[] = [];
  let more = '';
  for (const id of characters ?? there.keys()) {
    if (!there.has(id)) continue;
    if (names.length === NAMED) {
      more = ' and more';
      break;
    }
    names.push(id);
  }
  const list = names.length > 0 ? `there are: ${names.join(', ')}${more}` : 'there are none yet';
  const problem = character === undefined ? 'no character is marked default; name one' : `there is no character '${character}'`;
  return { error: new AiccError('tool_unavailable', `${problem} (${list})`), absent: true };
}
