import type { JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { AiccError, LIMITS } from '../protocol/index.ts';
import { Call } from './call.ts';
import { type CheckedInput, type CompiledTool, UNIT } from './catalogue.ts';
import type { Outcome, Report } from './outcome.ts';
import type { Session } from './session.ts';
import { tolerantController } from './tolerant-controller.ts';

/** A call that passed AICC D2–D8, or the outcome that refuses it. */
export type Verdict = { ok: true; tool: CompiledTool; input: CheckedInput } | { ok: false; refusal: Outcome };

/** The checks of AICC D2–D8, in their order. */
export function checkCall(session: Session, toolId: string, input: JsonObject): Verdict {
  const tool = session.character.tool(toolId);
  if (tool === undefined) return refuse(unknownTool(session, toolId));
  const obstacle = session.unavailable(tool, unitIn(session, input));
  if (obstacle) return refuse(obstacle);
  const checked = tool.checkInput(input);
  if (checked.problems.length > 0) return refuse(wrongInput(toolId, checked.problems));
  const limited = overLimit(session, tool);
  if (limited) return refuse(limited.error, limited.meta);
  const stale = staleness(session, tool, checked.observedTick);
  return stale ? refuse(stale) : { ok: true, tool, input: checked };
}

/** Sends a checked call on its way: to a person's approval where one is needed (D9), then to its tick and lane. */
export function startCall(session: Session, callId: string, { tool, input }: Verdict & { ok: true }, report: Report): void {
  const call = new Call(session, callId, tool, input.value, input.unit, input.observedTick, report);
  session.calls.passed(call);
  const needsApproval = session.rights.needsApproval(tool);
  // The game's code was asked on the way here, and may have ended the session.
  if (session.endReason) call.fail(session.endReason);
  else if (needsApproval) awaitApproval(session, call);
  else session.bridge.admit(call);
}

/** D6 */
export function wrongInput(toolId: string, problems: string[]): AiccError {
  return new AiccError('invalid_input', `wrong input for '${toolId}': ${problems.join('; ')}`);
}

function refuse(error: AiccError, meta?: JsonObject): Verdict {
  return { ok: false, refusal: meta ? { ok: false, error, meta } : { ok: false, error } };
}

/** Availability comes before the input's own check (D5, D6): a unit that is named well enough already counts. */
function unitIn(session: Session, input: JsonObject): string | undefined {
  const unit = session.character.isSquad ? input[UNIT] : undefined;
  return typeof unit === 'string' ? unit : undefined;
}

/** D2 */
function unknownTool(session: Session, toolId: string): AiccError {
  const closest = nearest(
    toolId,
    session.rights.visibleTools().map((tool) => tool.entry.id),
  )?.name;
  return new AiccError('tool_unknown', `there is no tool '${toolId.slice(0, 64)}'; the closest is '${closest}'`);
}

/** D7 */
function overLimit(session: Session, tool: CompiledTool): { error: AiccError; meta?: JsonObject } | undefined {
  const { id, limits } = tool.definition;
  if (session.calls.pending > LIMITS.pendingCalls) {
    return {
      error: new AiccError('tool_unavailable', `${LIMITS.pendingCalls} calls are already pending; wait for results`, true, 'queue_full'),
    };
  }
  if (session.calls.pendingBytes > LIMITS.pendingCallBytes) {
    return {
      error: new AiccError(
        'tool_unavailable',
        `the pending calls hold ${LIMITS.pendingCallBytes} bytes already; wait for results`,
        true,
        'queue_full',
      ),
    };
  }
  const perSession = limits?.calls_per_session;
  if (perSession !== undefined && session.counts.of(id) >= perSession) {
    const together = session.engagement === undefined ? '' : ', and all sessions under one contract count as one';
    return { error: new AiccError('tool_unavailable', `'${id}' may be called ${perSession} times a session${together}`, false, 'limit') };
  }
  const perMinute = limits?.calls_per_minute;
  if (perMinute !== undefined) {
    const retryAfter = session.character.minuteWindow(session.caller.principal, id).take(perMinute, session.bridge.clock.wallNow());
    if (retryAfter > 0) {
      return {
        error: new AiccError('tool_unavailable', `'${id}' may be called ${perMinute} times a minute`, true, 'limit'),
        meta: { retry_after_ms: retryAfter },
      };
    }
  }
  session.counts.add(id);
  return undefined;
}

/** D8 */
function staleness(session: Session, tool: CompiledTool, observedTick: number | undefined): AiccError | undefined {
  const { maxAgeTicks } = tool.definition;
  if (maxAgeTicks === undefined || observedTick === undefined) return undefined;
  const { tick } = session.bridge;
  return tick - observedTick > maxAgeTicks ? new AiccError('tool_unavailable', 'stale', true, 'stale') : undefined;
}

/** Checks again what may have changed while a call waited. */
function obstacle(session: Session, call: Call): AiccError | undefined {
  return session.unavailable(call.tool, call.unit) ?? staleness(session, call.tool, call.observedTick);
}

/** D9 */
function awaitApproval(session: Session, call: Call): void {
  const { approve } = session.bridge;
  const toolId = call.tool.entry.id;
  const refuse = (why: string) =>
    call.fail(new AiccError('tool_unavailable', `'${toolId}' needs a person's approval: ${why}`, false, 'unapproved'));
  if (approve === undefined) return refuse('nobody is here to give it');
  const question = tolerantController((thrown) => session.character.mistake(thrown));
  call.onDone(() => question.abort());
  call.expireWaiting(() => refuse('nobody answered in time'), LIMITS.approvalMs);
  const decide = (allowed: unknown) => {
    if (call.done) return;
    if (allowed !== true) return refuse('it was refused');
    session.rights.approved(call.tool, call.unit);
    const inTheWay = obstacle(session, call);
    if (inTheWay) return call.fail(inTheWay);
    session.bridge.admit(call);
  };
  // The host's own code: neither a throw nor a rejection of it may lose the call.
  new Promise<unknown>((resolve) =>
    resolve(
      approve({
        character: session.character.characterId,
        session: session.id,
        principal: session.caller.principal,
        tool: toolId,
        ...(call.unit !== undefined && { unit: call.unit }),
        input: structuredClone(call.input),
        signal: question.signal,
      }),
    ),
  ).then(decide, (thrown: unknown) => {
    session.bridge.mistakes.tell(session.bridge, 'approve threw', thrown);
    decide(false);
  });
}
