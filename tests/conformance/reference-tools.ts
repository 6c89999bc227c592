import type { JsonObject } from '../../src/base/json.ts';
import { type CharacterSlot, defineTool, type Tool, ToolError } from '../../src/bridge/index.ts';
import type { JumpClock } from './jump-clock.ts';

/** What the tools reach into. `slot` is there by the time that a tool runs. */
export interface Stage {
  clock: JumpClock;
  slot(): CharacterSlot;
  /** What its driver in the page was told about its control, and how the call ended that it made upon that. */
  told: [kind: string, answer: string][];
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
const waiting = (id: string, how: string, more: object = {}) =>
  defineTool({
    id,
    class: 'actuator',
    description: `Waits \`ms\` of world time, without it until it is ended; ${how}.`,
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
    defineTool({
      id: 'conformance_sense',
      class: 'sensor',
      description: 'Any output; part of every snapshot.',
      snapshot: true,
      run: () => ({ x: 3, y: 4 }),
    }),
    defineTool({
      id: 'conformance_echo',
      class: 'sensor',
      description: 'Takes `text` and maybe `inner.n`, an integer. Gives `{got}`: its input as it came to the tool.',
      input: text,
      run: (input) => ({ got: input }),
    }),
    defineTool({
      id: 'conformance_strict',
      class: 'sensor',
      description: 'The same with `strict_input`.',
      input: text,
      strictInput: true,
      run: (input) => ({ got: input }),
    }),
    defineTool({
      id: 'conformance_count',
      class: 'actuator',
      description: 'Gives `{count}`: how often it ran, this run included.',
      run: () => ({ count: ++runs }),
    }),
    waiting('conformance_wait', 'in no lane'),
    waiting('conformance_timeout', 'times out after 200 ms', { timeoutMs: 200 }),
    waiting('conformance_preempt', 'in a lane that preempts', { lane: 'legs' }),
    waiting('conformance_queue', 'in a lane that queues', { lane: 'voice', onBusy: 'queue' }),
    waiting('conformance_reject', 'in a lane that rejects', { lane: 'hands', onBusy: 'reject' }),
    defineTool({
      id: 'conformance_fail',
      class: 'actuator',
      description:
        'Fails as `how` says. throw: the error "the lantern is wet"; nameless: a RangeError without a text; typed: tool_unavailable, retryable, "come back later"; unverified: its verification says "the lantern is still dark"; no_object: gives 5; off_schema: gives what its output_schema refuses; too_large: gives 2 MB; nothing: gives nothing.',
      input: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
      output: { type: 'object', properties: { done: { type: 'boolean' } } },
      run: ({ how }) => goWrong(how),
      verify: ({ how }) => (how === 'unverified' ? 'the lantern is still dark' : true),
    }),
    defineTool({
      id: 'conformance_per_minute',
      class: 'sensor',
      description: 'May be called twice a minute; takes maybe `n`, an integer.',
      input: nothing,
      limits: { calls_per_minute: 2 },
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_per_session',
      class: 'sensor',
      description: 'May be called twice a session.',
      limits: { calls_per_session: 2 },
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_granted',
      class: 'actuator',
      description: 'Requires the capability conformance_grants, which the session holds.',
      requiresCapability: 'conformance_grants',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_forbidden',
      class: 'actuator',
      description: 'The contract of every session forbids it, so it is not listed: "the contract leaves it to the player".',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_approved',
      class: 'actuator',
      description:
        'By the contract of every session a person must approve it. They grant it when `answer` is yes, refuse it when it is no, and say nothing when it is never. Gives `{got}`.',
      input: { type: 'object', properties: { answer: { type: 'string', enum: ['yes', 'no', 'never'] } }, required: ['answer'] },
      run: (input) => ({ got: input }),
    }),
    defineTool({
      id: 'conformance_builtin',
      class: 'sensor',
      description:
        'The character has a driver in the page (B6), which calls conformance_echo whenever it is told about its control. Gives `{told}`: what it was told and how its call ended, like ["control_gained", "ok"] and ["control_lost", "tool_unavailable, retryable"].',
      run: () => ({ told: stage.told }),
    }),
    defineTool({
      id: 'conformance_unavailable',
      class: 'actuator',
      description: 'Never available: "the bridge is up; lower it first".',
      available: () => 'the bridge is up; lower it first',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_hidden',
      class: 'actuator',
      description: 'Requires the capability conformance_secrets, which the session does not hold: so it is not listed.',
      requiresCapability: 'conformance_secrets',
      run: () => ({}),
    }),
    defineTool({
      id: 'conformance_stale',
      class: 'actuator',
      description: 'Refuses decisions that are more than 2 ticks old; gives `{got}`.',
      maxAgeTicks: 2,
      run: (input) => ({ got: input }),
    }),
    defineTool({
      id: 'conformance_emit',
      class: 'actuator',
      description:
        'Emits an event of `topic` to the character, `count` times, after `after_ms` of world time. An agent_message bears `text`, from the second on with a number: "hello 2".',
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
      description: 'Sends one progress event and ends.',
      run: (_input, context) => context.progress({ done: 0.5 }),
    }),
    defineTool({
      id: 'conformance_late',
      class: 'actuator',
      description: 'Sends progress and waits until it is ended; then it tries to send more.',
      async run(_input, context) {
        context.progress({ done: 0 });
        try {
          await context.until(() => false);
        } finally {
          context.progress({ done: 1 });
        }
      },
    }),
    defineTool({
      id: 'conformance_outside',
      class: 'actuator',
      description: 'Waits `ms` of wall time for something outside the world (D11 `external`).',
      input: milliseconds,
      run: ({ ms = 0 }, context) => context.external(new Promise<void>((resolve) => void stage.clock.schedule(resolve, ms))),
    }),
    defineTool({
      id: 'conformance_catalogue',
      class: 'actuator',
      description: 'Puts the tool conformance_extra into the catalogue, or takes it out, as `present` says.',
      input: { type: 'object', properties: { present: { type: 'boolean' } }, required: ['present'] },
      run({ present }) {
        const extra = defineTool({ id: 'conformance_extra', class: 'actuator', description: 'More.', run: () => ({}) });
        stage.slot().setTools(present ? [...tools, extra] : tools);
      },
    }),
    defineTool({
      id: 'conformance_ask',
      class: 'actuator',
      description: 'Asks for a decision between inputs of conformance_echo, within `deadline_ms`.',
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
      description: 'Pauses the world for `ms` of wall time.',
      input: milliseconds,
      run({ ms = 0 }) {
        stage.slot().setPaused(true);
        stage.clock.schedule(() => stage.slot().setPaused(false), ms);
      },
    }),
    defineTool({
      id: 'conformance_body',
      class: 'actuator',
      description: 'Takes the body away, and gives a new one after `ms` of wall time.',
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
