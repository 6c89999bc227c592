import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AGENT_MESSAGE_TYPES,
  type AgentMessage,
  type AiccMessage,
  type BridgeMessage,
  type Capabilities,
  type CatalogueTool,
  checkAgentMessage,
  checkBridgeMessage,
  ERROR_CODES,
  isAgentMessage,
  isBridgeMessage,
  type Manifest,
  type Meta,
  MODEL_CLASSES,
  type ModelDeclaration,
  TICK_MODES,
  TOOL_CLASSES,
  TOPICS,
  validateAicc,
  type WireError,
  WORLD_KINDS,
} from '../../src/protocol/index.ts';
import { badFromAgent, badFromBridge } from '../fixtures/bad-messages.ts';
import { fromAgent, fromBridge } from '../fixtures/messages.ts';

describe('the nine kinds', () => {
  test.each(Object.entries(fromAgent))('A6: %s may come from an agent', (_name, message) => {
    expect(checkAgentMessage(JSON.stringify(message))).toEqual({ ok: true, message });
    expect(validateAicc(message)).toBe(true);
  });

  test.each(Object.entries(fromBridge))('%s may come from a bridge', (_name, message) => {
    expect(checkBridgeMessage(JSON.stringify(message))).toEqual({ ok: true, message });
    expect(validateAicc(message)).toBe(true);
  });

  test('A6: what only the bridge sends is not an agent message, and the other way round', () => {
    for (const message of Object.values(fromBridge)) {
      expect(isAgentMessage(message)).toBe((AGENT_MESSAGE_TYPES as readonly string[]).includes(message.type));
    }
    for (const message of Object.values(fromAgent))
      expect(isBridgeMessage(message)).toBe(['session_close', 'heartbeat'].includes(message.type));
  });

  test.each(badFromAgent)('A3: an agent message with $title is refused in a sentence', ({ message, says }) => {
    const check = checkAgentMessage(JSON.stringify(message));
    expect(check).toMatchObject({
      ok: false,
      fatal: false,
      counted: true,
      error: { code: 'invalid_input', message: says, retryable: false },
    });
    expect(validateAicc(message)).toBe(false);
  });

  test.each(badFromBridge)('A3: a bridge message with $title is refused in a sentence', ({ message, says }) => {
    const check = checkBridgeMessage(JSON.stringify(message));
    expect(check).toMatchObject({
      ok: false,
      fatal: false,
      counted: true,
      error: { code: 'invalid_input', message: says, retryable: false },
    });
    expect(validateAicc(message)).toBe(false);
  });

  test.each([null, undefined, 0, '', 'tool_call', true, [], {}, { type: null }, { type: 'constructor' }, { type: '__proto__' }])(
    'A5: %j is no message',
    (value) => {
      expect([isAgentMessage(value), isBridgeMessage(value), validateAicc(value)]).toEqual([false, false, false]);
    },
  );
});

/** How each member of a type stands: this object cannot be written so that it disagrees with the type. */
type Presence<T> = { [K in keyof T as string extends K ? never : K]-?: Record<never, never> extends Pick<T, K> ? 'optional' : 'required' };
type Of<T extends AiccMessage['type']> = Presence<Extract<AiccMessage, { type: T }>>;

const envelope = { protocol: 'required', type: 'required', session_id: 'required', message_id: 'required' } as const;
const kinds: { [T in AiccMessage['type']]: Of<T> } = {
  session_init: {
    ...envelope,
    tick_rate_hz: 'required',
    tick_mode: 'required',
    world: 'required',
    agent_model: 'required',
    capabilities: 'required',
    tools: 'required',
    event_subscriptions: 'optional',
  },
  session_resume: envelope,
  session_close: { ...envelope, reason: 'optional' },
  manifest_request: envelope,
  tool_call: { ...envelope, call_id: 'required', tool: 'required', input: 'required' },
  tool_result: { ...envelope, call_id: 'required', ok: 'required', output: 'optional', error: 'optional', meta: 'optional' },
  event: { ...envelope, topic: 'required', payload: 'required', meta: 'optional' },
  error: { ...envelope, error: 'required' },
  heartbeat: { ...envelope, manifest_update: 'optional' },
};
const errorDetail: Presence<WireError> = { code: 'required', message: 'required', retryable: 'required' };
const model: Presence<ModelDeclaration> = { class: 'required', expected_first_token_ms: 'optional', expected_full_response_ms: 'optional' };
const tool: Presence<CatalogueTool> = {
  id: 'required',
  class: 'required',
  description: 'required',
  input_schema: 'required',
  output_schema: 'required',
  limits: 'optional',
  requires_capability: 'optional',
  strict_input: 'optional',
};
const limits: Presence<NonNullable<CatalogueTool['limits']>> = { calls_per_minute: 'optional', calls_per_session: 'optional' };
const capabilities: Presence<Capabilities> = { sensors: 'required', actuators: 'required', generators: 'required' };
const world: Presence<Manifest['world']> = { name: 'required', kind: 'required' };
/** `seq` is ours: `meta` is open, so the schema does not know it. */
const { seq: _ours, ...meta }: Presence<Meta> = { tick: 'optional', latency_ms: 'optional', source: 'optional', seq: 'optional' };

interface ObjectSchema {
  properties: Record<string, ObjectSchema & { enum?: unknown; const?: unknown }>;
  required?: string[];
  additionalProperties?: boolean;
}

describe('the TypeScript types and the schema', () => {
  const { $defs, oneOf } = JSON.parse(readFileSync(new URL('../../src/protocol/aicc.schema.json', import.meta.url), 'utf8')) as {
    $defs: Record<string, ObjectSchema>;
    oneOf: { $ref: string }[];
  };
  const presence = (schema: ObjectSchema | undefined) =>
    Object.fromEntries(
      Object.keys(schema?.properties ?? {}).map((name) => [name, schema?.required?.includes(name) ? 'required' : 'optional']),
    );

  test('A5: list the same nine kinds', () => {
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.keys(kinds).map((kind) => `#/$defs/${kind}`));
    for (const kind of Object.keys(kinds)) expect($defs[kind]?.properties.type).toEqual({ const: kind });
  });

  test.each(Object.entries(kinds))('A5: agree on the members of %s, and the schema is closed', (kind, members) => {
    expect(presence($defs[kind])).toEqual(members);
    expect($defs[kind]?.additionalProperties).toBe(false);
  });

  test.each([
    ['errorDetail', $defs.errorDetail, errorDetail, false],
    ['model', $defs.model, model, false],
    ['tool', $defs.tool, tool, false],
    ['limits', $defs.tool?.properties.limits, limits, false],
    ['capabilities', $defs.session_init?.properties.capabilities, capabilities, false],
    ['world', $defs.session_init?.properties.world, world, false],
    ['meta', $defs.meta, meta, undefined],
  ])('A5: agree on the members of %s', (_name, schema, members, open) => {
    expect(presence(schema)).toEqual(members);
    expect(schema?.additionalProperties).toBe(open);
  });

  test('A5: agree on every list of words', () => {
    expect($defs.errorDetail?.properties.code?.enum).toEqual(Object.keys(ERROR_CODES));
    expect($defs.model?.properties.class?.enum).toEqual(MODEL_CLASSES);
    expect($defs.tool?.properties.class?.enum).toEqual(TOOL_CLASSES);
    expect($defs.event?.properties.topic?.enum).toEqual(TOPICS);
    expect($defs.session_init?.properties.tick_mode?.enum).toEqual(TICK_MODES);
    expect($defs.session_init?.properties.world?.properties.kind?.enum).toEqual(WORLD_KINDS);
  });

  test('A6: every kind travels at least one way', () => {
    const agent: Record<AgentMessage['type'], true> = {
      session_resume: true,
      session_close: true,
      manifest_request: true,
      tool_call: true,
      heartbeat: true,
    };
    const bridge: Record<BridgeMessage['type'], true> = {
      session_init: true,
      session_close: true,
      tool_result: true,
      event: true,
      error: true,
      heartbeat: true,
    };
    expect(Object.keys(agent)).toEqual([...AGENT_MESSAGE_TYPES]);
    expect(Object.keys({ ...agent, ...bridge }).sort()).toEqual(Object.keys(kinds).sort());
  });
});
