import { type CharacterSlot, defineTool, type Tool, ToolError } from '../../src/bridge/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import type { JumpClock } from './jump-clock.ts';

/** What the tools reach into. `slot` is there by the time that a tool runs. */
export interface Stage {
  clock: JumpClock;
  slot(): CharacterSlot;
  /** The body goes and comes back after so many milliseconds of wall time. */
  loseBody(ms: number): void;
}

const text = {
  type: 'object',
  properties: { text: { type: 'string' }, inner: { type: 'object', properties: { n: { type: 'integer' } } } },
  required: ['text'],
} as const;
const milliseconds = { type: 'object', properties: { ms: { type: 'integer', minimum: 0 } } } as const;
const nothing = { type: 'object', properties: { n: { type: 'integer' } } } as const;

/** Payloads that a game may send, by topic (AICC F2). */
const PAYLOADS: { [topic: string]: (words: string) => JsonObject } = {
  collision: () => ({ with: 'wall', at: { x: 3, y: 4 }, normal: { x: 0, y: -1 } }),
  audio: (words) => ({ kind: 'speech', from: 'tam', text: words, distance: 12, bearing: 90, loudness: 0.5 }),
  state_change: () => ({ kind: 'conformance' }),
  agent_message: (words) => ({ from: 'player', text: words }),
};
type Topic = 'collision' | 'audio' | 'state_change' | 'agent_message';

/** Waits in world time; without `ms` until it is cancelled. */
const waiting = (id: string, more: object) =>
  defineTool({
    id,
    class: 'actuator',
    description: 'Waits so many milliseconds of world time, or for ever.',
    input: milliseconds,
    ...more,
    async run({ ms }, context) {
      if (ms === undefined) await context.until(() => false);
      else await context.sleep(ms);
    },
  });

/** The tools that let every case of the conformance suite apply: see "The tools of a reference world" in docs/protocol.md. */
export function referenceTools(stage: Stage): Tool[] {
  let runs = 0;
  const tools: Tool[] = [
    defineTool({ id: 'conformance_sense', class: 'sensor', description: 'Where you are.', snapshot: true, run: () => ({ x: 3, y: 4 }) }),
    defineTool({ id: 'conformance_echo', class: 'sensor', description: 'Says back.', input: text, run: (input) => ({ got: input }) }),
    defineTool({
      id: 'conformance_strict',
      class: 'sensor',
      description: 'Says back, and is strict.',
      input: text,
      strictInput: true,
      run: (input) => ({ got: input }),
    }),
    defineTool({ id: 'conformance_count', class: 'actuator', description: 'Counts its runs.', run: () => ({ count: ++runs }) }),
    waiting('conformance_wait', {}),
    waiting('conformance_timeout', { timeoutMs: 200 }),
    waiting('conformance_preempt', { lane: 'legs' }),
    waiting('conformance_queue', { lane: 'voice', onBusy: 'queue' }),
    waiting('conformance_reject', { lane: 'hands', onBusy: 'reject' }),
    defineTool({
      id: 'conformance_fail',
      class: 'actuator',
      description: 'Goes wrong in a chosen way.',
      input: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
      output: { type: 'object', properties: { done: { type: 'boolean' } } },
      run: ({ how }) => goWrong(how),
      verify: ({ how }) => (how === 'unverified' ? 'the lantern is still dark' : true),
    }),
    defineTool({
      id: 'conformance_per_minute',
      class: 'sensor',
      description: 'Two a minute.',
      input: nothing,
      limits: { calls_per_minute: 2 },
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_per_session',
      class: 'sensor',
      description: 'Two a session.',
      limits: { calls_per_session: 2 },
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_unavailable',
      class: 'actuator',
      description: 'Never available.',
      available: () => 'the bridge is up; lower it first',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_hidden',
      class: 'actuator',
      description: 'For those who hold a capability that nobody holds.',
      requiresCapability: 'conformance_secrets',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_stale',
      class: 'actuator',
      description: 'Wants a fresh decision.',
      maxAgeTicks: 2,
      run: (input) => ({ got: input }),
    }),
    defineTool({
      id: 'conformance_emit',
      class: 'actuator',
      description: 'Lets something happen to you, once or several times.',
      input: {
        type: 'object',
        properties: {
          topic: { type: 'string', enum: ['collision', 'audio', 'state_change', 'agent_message'] },
          text: { type: 'string' },
          count: { type: 'integer', minimum: 1 },
          after_ms: { type: 'integer', minimum: 0 },
        },
        required: ['topic'],
      },
      async run({ after_ms = 0, count = 1, text: words = 'hello', topic }, context) {
        if (after_ms > 0) await context.sleep(after_ms);
        for (let number = 1; number <= count; number++)
          stage.slot().emit(topic as Topic, PAYLOADS[topic]!(number === 1 ? words : `${words} ${number}`));
      },
    }),
    defineTool({
      id: 'conformance_progress',
      class: 'actuator',
      description: 'Tells how far it is.',
      run: (_input, context) => context.progress({ done: 0.5 }),
    }),
    defineTool({
      id: 'conformance_catalogue',
      class: 'actuator',
      description: 'Lets conformance_extra be there or not.',
      input: { type: 'object', properties: { present: { type: 'boolean' } }, required: ['present'] },
      run({ present }) {
        const extra = defineTool({ id: 'conformance_extra', class: 'actuator', description: 'More.', run: () => ({}) });
        stage.slot().setTools(present ? [...tools, extra] : tools);
      },
    }),
    defineTool({
      id: 'conformance_ask',
      class: 'actuator',
      description: 'Asks you something.',
      input: { type: 'object', properties: { deadline_ms: { type: 'integer', minimum: 1 } }, required: ['deadline_ms'] },
      run({ deadline_ms }) {
        const fallback = { tool: 'conformance_echo', input: { text: 'nobody answered' } };
        void stage
          .slot()
          .ask({ prompt: 'Left or right?', tools: ['conformance_echo'], deadlineMs: deadline_ms, fallback })
          .catch(() => undefined);
      },
    }),
    defineTool({
      id: 'conformance_pause',
      class: 'actuator',
      description: 'Stops the world for so many milliseconds of wall time.',
      input: milliseconds,
      run({ ms = 0 }) {
        stage.slot().setPaused(true);
        stage.clock.schedule(() => stage.slot().setPaused(false), ms);
      },
    }),
    defineTool({
      id: 'conformance_body',
      class: 'actuator',
      description: 'Your body goes and comes back after so many milliseconds of wall time.',
      input: milliseconds,
      run: ({ ms = 0 }) => stage.loseBody(ms),
    }),
  ];
  return tools;
}

function goWrong(how: string): unknown {
  switch (how) {
    case 'throw':
      throw new Error('the lantern is wet');
    case 'nameless':
      throw new RangeError('');
    case 'typed':
      throw new ToolError('tool_unavailable', 'come back later', true);
    case 'no_object':
      return 5;
    case 'off_schema':
      return { done: 'yes' };
    case 'too_large':
      return { filling: 'x'.repeat(2_000_000) };
    default:
      return undefined;
  }
}
