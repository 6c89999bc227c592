import type { Json, JsonObject } from '../base/json.ts';
import { AiccError } from '../protocol/index.ts';
import { type BuiltInTool, cancelCall, decide } from './built-in-tools.ts';
import { checkCall, startCall } from './call-checks.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import type { Session } from './session.ts';

/** Takes exactly one outcome, now or later; `of`: the tool that ran, where one did. */
type BuiltInReport = (outcome: Outcome, of?: CompiledTool) => void;

/** Runs a built-in tool at once (AICC D17). */
export function runBuiltIn(builtIn: BuiltInTool, session: Session, callId: string, input: JsonObject, report: BuiltInReport): void {
  return RUNS.get(builtIn)?.(session, callId, input, report);
}

function runCancelCall(session: Session, _callId: string, input: JsonObject, report: BuiltInReport): void {
  const call = session.calls.find(String(input.call_id))?.call;
  call?.fail(new AiccError('execution_failed', 'cancelled', false, 'cancelled'));
  report({ ok: true, output: { cancelled: call !== undefined } });
}

/** What it starts is an ordinary call, whose outcome becomes its own (AICC D18). */
function runDecide(session: Session, callId: string, { ask_id, tool, input }: JsonObject, report: BuiltInReport): void {
  const { decisions } = session.character;
  const open = decisions.find(String(ask_id));
  const refuse = (error: AiccError) => report({ ok: false, error });
  // What it was not asked it cannot answer.
  const tools = open?.toolsFor(session.rights) ?? [];
  if (open === undefined || tools.length === 0) return refuse(notOpen(ask_id));
  const chosen = { tool: String(tool), input: input as JsonObject };
  if (!open.question.tools.includes(chosen.tool))
    return refuse(new AiccError('invalid_input', `/tool must be one of ${tools.join(', ')}, not '${chosen.tool}'`));
  const verdict = checkCall(session, chosen.tool, chosen.input);
  if (!verdict.ok) return report(verdict.refusal);
  // What the checks asked of the game may have answered it meanwhile.
  if (decisions.find(open.askId) === undefined) return refuse(notOpen(ask_id));
  open.taken = true;
  startCall(session, callId, verdict, (outcome, begun) => {
    report(outcome, verdict.tool);
    decisions.ended(open, chosen, session.yielding === undefined ? 'agent' : 'builtin', outcome, begun);
  });
}

const RUNS: ReadonlyMap<BuiltInTool, typeof runDecide> = new Map([
  [cancelCall, runCancelCall],
  [decide, runDecide],
]);

function notOpen(askId: Json | undefined): AiccError {
  return new AiccError(
    'tool_unavailable',
    `the question ${JSON.stringify(askId)} is not open: it was answered, is too late or never was`,
    false,
    'too_late',
  );
}
