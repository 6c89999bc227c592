import { AiccError, callContent, type JsonObject, LIMITS, type RefusedCall, type ToolCall } from '../protocol/index.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { Call, type Outcome } from './call.ts';
import { type CompiledTool, closestId, UNIT } from './catalogue.ts';
import type { Session } from './session.ts';

/** Takes one `tool_call` through the checks of AICC D1–D9, in their order, and on to its lane. Every way ends in one result or one `error`. */
export function receiveCall(session: Session, message: ToolCall): void {
  const { call_id, tool: toolId, input } = message;
  if (isRepeated(session, call_id, callContent(toolId, input), message.message_id)) return;

  const { clock } = session.bridge;
  const receivedAt = clock.wallNow();
  const report = (outcome: Outcome) => session.sendResult(call_id, toolId, outcome, receivedAt);
  const refuse = (error: AiccError, meta?: JsonObject) => report(meta ? { ok: false, error, meta } : { ok: false, error });

  const builtIn = BUILT_IN_TOOLS.find(({ tool }) => tool.entry.id === toolId);
  const tool = builtIn?.tool ?? session.character.tool(toolId);
  if (tool === undefined) return refuse(unknownTool(session, toolId));
  const obstacle = builtIn ? undefined : session.unavailable(tool, unitIn(session, input));
  if (obstacle) return refuse(obstacle);
  const { problems, value, unit, observedTick } = tool.checkInput(input);
  if (problems.length > 0) return refuse(new AiccError('invalid_input', `wrong input for '${toolId}': ${problems.join('; ')}`));
  if (builtIn) return report({ ok: true, output: builtIn.run(session, value) });
  const limited = overLimit(session, tool);
  if (limited) return refuse(limited.error, limited.meta);
  const stale = staleness(session, tool, observedTick);
  if (stale) return refuse(stale);

  const call = new Call(session, call_id, tool, value, unit, observedTick, report);
  session.calls.passed(call);
  if (session.policy?.needsApproval(tool.definition)) awaitApproval(session, call);
  else session.bridge.admit(call);
}

/** A7: a `tool_call` that missed the schema still gets its one result. */
export function receiveRefusedCall(session: Session, call: RefusedCall & { error: string }): void {
  const ofAnotherSession = call.session_id !== undefined && call.session_id !== session.id;
  if (ofAnotherSession) return session.sendError(new AiccError('invalid_input', call.error), call.message_id);
  if (isRepeated(session, call.call_id, call.content, call.message_id, true)) return;
  session.sendResult(call.call_id, '', { ok: false, error: new AiccError('invalid_input', call.error) }, session.bridge.clock.wallNow());
}

/** D1. Notes the call when it is new; what cannot be noted is answered by an `error` and counts as repeated. */
function isRepeated(session: Session, callId: string, content: string, messageId: string | undefined, malformed = false): boolean {
  if (callId.length > LIMITS.callIdLength) {
    session.sendError(new AiccError('invalid_input', `/call_id must be at most ${LIMITS.callIdLength} characters long`), messageId);
    return true;
  }
  const known = session.calls.find(callId);
  if (known === undefined) {
    session.calls.open(callId, content);
    return false;
  }
  if (malformed || known.content !== content) {
    session.sendError(
      new AiccError('invalid_input', `call_id ${JSON.stringify(callId)} was used for another call; use a new call_id`),
      messageId,
    );
  } else if (known.result && !session.outbox.again(known.result)) {
    session.sendError(
      new AiccError('execution_failed', `the result of call_id ${JSON.stringify(callId)} is no longer kept; use a new call_id`),
      messageId,
    );
  }
  return true;
}

/** Availability comes before the input's own check (D5, D6): a unit that is named well enough already counts. */
function unitIn(session: Session, input: JsonObject): string | undefined {
  const unit = session.character.isSquad ? input[UNIT] : undefined;
  return typeof unit === 'string' ? unit : undefined;
}

/** D2 */
function unknownTool(session: Session, toolId: string): AiccError {
  const closest = closestId(
    toolId,
    session.visibleTools().map((tool) => tool.entry.id),
  );
  return new AiccError('tool_unknown', `there is no tool '${toolId}'; the closest is '${closest}'`);
}

/** D7 */
function overLimit(session: Session, tool: CompiledTool): { error: AiccError; meta?: JsonObject } | undefined {
  const { id, limits } = tool.definition;
  if (session.calls.pending > LIMITS.pendingCalls) {
    return { error: new AiccError('tool_unavailable', `${LIMITS.pendingCalls} calls are already pending; wait for results`) };
  }
  const perSession = limits?.calls_per_session;
  if (perSession !== undefined && session.callCount(id) >= perSession) {
    return { error: new AiccError('tool_unavailable', `'${id}' may be called ${perSession} times a session`, false) };
  }
  const perMinute = limits?.calls_per_minute;
  if (perMinute !== undefined) {
    const retryAfter = session.character.minuteWindow(session.caller.principal, id, perMinute).take(session.bridge.clock.wallNow());
    if (retryAfter > 0) {
      return {
        error: new AiccError('tool_unavailable', `'${id}' may be called ${perMinute} times a minute`, true),
        meta: { retry_after_ms: retryAfter },
      };
    }
  }
  session.countCall(id);
  return undefined;
}

/** D8 */
export function staleness(session: Session, tool: CompiledTool, observedTick: number | undefined): AiccError | undefined {
  const { maxAgeTicks } = tool.definition;
  if (maxAgeTicks === undefined || observedTick === undefined) return undefined;
  const { tick } = session.bridge;
  return tick - observedTick > maxAgeTicks ? new AiccError('tool_unavailable', 'stale') : undefined;
}

/** D9 */
function awaitApproval(session: Session, call: Call): void {
  const { approve } = session.bridge;
  const toolId = call.tool.entry.id;
  const refuse = (why: string) => call.fail(new AiccError('tool_unavailable', `'${toolId}' needs a person's approval: ${why}`, false));
  if (approve === undefined) return refuse('nobody is here to give it');
  const question = new AbortController();
  call.onDone(() => question.abort());
  call.expireWaiting(() => refuse('nobody answered in time'), LIMITS.approvalMs);
  const decide = (allowed: boolean) => {
    if (call.done) return;
    if (!allowed) return refuse('it was refused');
    const obstacle = session.obstacle(call);
    if (obstacle) return call.fail(obstacle);
    session.bridge.admit(call);
  };
  // The host's own code: neither a throw nor a rejection of it may lose the call.
  new Promise<boolean>((resolve) =>
    resolve(
      approve({
        character: session.character.characterId,
        principal: session.caller.principal,
        tool: toolId,
        input: structuredClone(call.input),
        signal: question.signal,
      }),
    ),
  ).then(decide, () => decide(false));
}
