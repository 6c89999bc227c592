import type { Json, JsonObject } from '../base/json.ts';
import { AiccError } from '../protocol/index.ts';
import type { Outcome } from './call.ts';
import { checkCall, startCall } from './call-checks.ts';
import { type CompiledTool, compileBuiltIn } from './catalogue.ts';
import type { CharacterSlot } from './character.ts';
import type { Session } from './session.ts';
import { defineTool } from './tool.ts';

/** A tool that the bridge handles itself, at once, under every contract (AICC D17). */
export interface BuiltInTool {
  readonly tool: CompiledTool;
  isListed(character: CharacterSlot): boolean;
  /** Reports exactly one outcome, now or later; `of`: the tool that ran, where one did. */
  run(session: Session, callId: string, input: JsonObject, report: (outcome: Outcome, of?: CompiledTool) => void): void;
}

const cancelCall: BuiltInTool = {
  tool: compileBuiltIn(
    defineTool({
      id: 'cancel_call',
      class: 'actuator',
      capability: 'control',
      description:
        'Ends one of your running or waiting calls; it fails with the message "cancelled". Answers whether there was such a call.',
      input: {
        type: 'object',
        properties: { call_id: { type: 'string', minLength: 1, description: 'The call_id of the call to end.' } },
        required: ['call_id'],
      },
      output: {
        type: 'object',
        properties: { cancelled: { type: 'boolean', description: 'Whether there was such a call.' } },
        required: ['cancelled'],
      },
      run: () => undefined,
    }),
  ),
  isListed: () => true,
  run(session, _callId, input, report) {
    const call = session.calls.find(String(input.call_id))?.call;
    call?.fail(new AiccError('execution_failed', 'cancelled', false, 'cancelled'));
    report({ ok: true, output: { cancelled: call !== undefined } });
  },
};

/** AICC D18: answers a question of the game. What it starts is an ordinary call, whose outcome becomes its own. */
const decide: BuiltInTool = {
  tool: compileBuiltIn(
    defineTool({
      id: 'decide',
      class: 'actuator',
      capability: 'control',
      description:
        'Answers a decision event: does one of its tools with an input for it. The first valid answer before the deadline counts.',
      input: {
        type: 'object',
        properties: {
          ask_id: { type: 'string', minLength: 1, description: 'The ask_id of the decision event.' },
          tool: { type: 'string', description: 'One of the tools that the event names.' },
          input: { type: 'object', description: 'An input for that tool, as its input_schema says.' },
        },
        required: ['ask_id', 'tool', 'input'],
      },
      run: () => undefined,
    }),
  ),
  isListed: (character) => character.decisions.asked,
  run(session, callId, { ask_id, tool, input }, report) {
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
  },
};

/** Every catalogue ends with those of these that are listed, in this order. */
export const BUILT_IN_TOOLS: readonly BuiltInTool[] = [cancelCall, decide];

function notOpen(askId: Json | undefined): AiccError {
  return new AiccError(
    'tool_unavailable',
    `the question ${JSON.stringify(askId)} is not open: it was answered, is too late or never was`,
    false,
    'too_late',
  );
}
