import { AiccError, type JsonObject } from '../protocol/index.ts';
import { type CompiledTool, compileBuiltIn } from './catalogue.ts';
import type { Session } from './session.ts';
import { defineTool } from './tool.ts';

/** A tool that the bridge handles itself, at once, under every contract (AICC D17). */
export interface BuiltInTool {
  readonly tool: CompiledTool;
  run(session: Session, input: JsonObject): JsonObject;
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
      output: { type: 'object', properties: { cancelled: { type: 'boolean' } }, required: ['cancelled'] },
      run: () => undefined,
    }),
  ),
  run(session, input) {
    const call = session.calls.find(String(input.call_id))?.call;
    call?.fail(new AiccError('execution_failed', 'cancelled'));
    return { cancelled: call !== undefined };
  },
};

/** Every catalogue ends with these, in this order. */
export const BUILT_IN_TOOLS: readonly BuiltInTool[] = [cancelCall];
