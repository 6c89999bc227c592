import { AiccError, callContent, LIMITS, type RefusedCall, type ToolCall } from '../protocol/index.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { checkCall, startCall, wrongInput } from './call-checks.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import { runBuiltIn } from './run-built-in.ts';
import type { Session } from './session.ts';

/** Takes one `tool_call` of so many characters through AICC D1–D10. Every way ends in one result or one `error`. */
export function receiveCall(session: Session, message: ToolCall, size: number): void {
  const { call_id, tool, input } = message;
  if (isRepeated(session, call_id, { content: callContent(tool, input), size }, message.message_id)) return;
  const receivedAt = session.bridge.clock.wallNow();
  const report = (outcome: Outcome, of: CompiledTool | string = tool) => session.sendResult(call_id, of, outcome, receivedAt);

  if (session.spectates) return report(WATCHES);
  // D17: built-ins run on receipt; of the checks they know only their input's.
  const builtIn = BUILT_IN_TOOLS.find((each) => each.tool.entry.id === tool && each.isListed(session.character));
  if (builtIn) {
    const { problems, value } = builtIn.tool.checkInput(input);
    if (problems.length > 0) return report({ ok: false, error: wrongInput(tool, problems) });
    return runBuiltIn(builtIn, session, call_id, value, report);
  }
  const verdict = checkCall(session, tool, input);
  if (verdict.ok) startCall(session, call_id, verdict, (outcome) => report(outcome, verdict.tool));
  else report(verdict.refusal);
}

/** B8 */
const WATCHES: Outcome = {
  ok: false,
  error: new AiccError('tool_unavailable', 'this session only watches: connect without "spectate" to call tools', false),
  meta: { reason: 'spectator' },
};

/** A7: a `tool_call` that missed the schema still gets its one result. */
export function receiveRefusedCall(session: Session, call: RefusedCall & { error: string }): void {
  const ofAnotherSession = call.session_id !== undefined && call.session_id !== session.id;
  if (ofAnotherSession) return session.sendError(new AiccError('invalid_input', call.error), call.message_id);
  if (isRepeated(session, call.call_id, { content: call.content, size: 0 }, call.message_id, true)) return;
  session.sendResult(call.call_id, '', { ok: false, error: new AiccError('invalid_input', call.error) }, session.bridge.clock.wallNow());
}

/** D1. Notes the call when it is new; what cannot be noted is answered by an `error` and counts as repeated. */
function isRepeated(
  session: Session,
  callId: string,
  { content, size }: { content: string; size: number },
  messageId: string | undefined,
  malformed = false,
): boolean {
  if (callId.length > LIMITS.callIdLength) {
    session.sendError(new AiccError('invalid_input', `/call_id must be at most ${LIMITS.callIdLength} characters long`), messageId);
    return true;
  }
  const known = session.calls.find(callId);
  if (known === undefined) {
    session.calls.open(callId, content, size);
    return false;
  }
  const refuse = (error: AiccError) => session.sendError(error, messageId);
  const named = `call_id ${JSON.stringify(callId)}`;
  if (malformed || known.content !== content) {
    refuse(new AiccError('invalid_input', `${named} was used for another call; use a new call_id`));
  } else if (known.result) {
    const again = session.outbox.again(known.result);
    if (again === 'gone') refuse(new AiccError('execution_failed', `the result of ${named} is no longer kept; use a new call_id`));
    if (again === 'busy') refuse(new AiccError('tool_unavailable', `too much is sent again already; ask for ${named} later`));
  }
  return true;
}
