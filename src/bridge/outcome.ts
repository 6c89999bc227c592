import { isObject, type JsonObject } from '../base/json.ts';
import { describeThrown } from '../base/thrown.ts';
import { AiccError } from '../protocol/index.ts';
import type { CompiledTool } from './catalogue.ts';
import { jsonCopy, NotJson } from './json-copy.ts';

/** How a call ended. `byGame`: the words of the error are the game's own, which a contract may keep back (OpenClasp T10). */
export type Outcome = { ok: true; output: JsonObject } | { ok: false; error: AiccError; meta?: JsonObject; byGame?: true };

/** Told how a call ended, and whether its handler had begun by then. */
export type Report = (outcome: Outcome, begun: boolean) => void;

/** An output stands at this depth of its message. */
const OUTPUT_DEPTH = 2;

/** Checks what the handler returned: JSON that satisfies the tool's `output_schema`, or `internal_error` (AICC D14). */
export function checkedOutput(tool: CompiledTool, returned: unknown, depth: number = OUTPUT_DEPTH): Outcome {
  const wrong = (what: string): Outcome => ({
    ok: false,
    // What is wrong with an output quotes it.
    byGame: true,
    error: new AiccError('internal_error', `tool '${tool.entry.id}' returned a wrong output: ${what}`),
  });
  let output: unknown;
  try {
    output = jsonCopy(returned === undefined ? {} : returned, depth);
  } catch (error) {
    return wrong(error instanceof NotJson ? error.message : describeThrown(error));
  }
  if (!isObject(output)) return wrong('it is not an object');
  const problems = tool.checkOutput(output);
  return problems.length > 0 ? wrong(problems.join('; ')) : { ok: true, output };
}

/** Ignores the rejection of a promise that came where an answer was due at once. */
export function ignoreRejection(value: unknown): void {
  Promise.resolve(value).catch(() => undefined);
}
