import { type CompiledTool, compileBuiltIn } from './catalogue.ts';
import { defineTool } from './tool.ts';

/** The definition of a tool that the bridge handles itself, at once, under every contract (AICC D17). `run-built-in.ts` runs it. */
export interface BuiltInTool {
  readonly tool: CompiledTool;
  isListed(character: Asked): boolean;
}

/** What decides which built-in tools a character has. */
export interface Asked {
  readonly decisions: { readonly asked: boolean };
}

export const cancelCall: BuiltInTool = {
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
};

/** Answers a question of the game (AICC D18). */
export const decide: BuiltInTool = {
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
};

/** The built-in tools: every catalogue ends with those that are listed, in this order. */
export const BUILT_IN_TOOLS: readonly BuiltInTool[] = [cancelCall, decide];
