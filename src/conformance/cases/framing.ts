import type { Agent } from '../agent.ts';
import type { Case } from '../case.ts';
import { check, checkSame } from '../failure.ts';
import {
  checkError,
  checkFailed,
  type JsonObject,
  MESSAGE_BYTES,
  MESSAGE_DEPTH,
  type Message,
  NIL_UUID,
  outputOf,
  PROTOCOL,
  UUID,
} from '../messages.ts';

const FAULTS = 20;
const utf8 = new TextEncoder();
const INVALID = { code: 'invalid_input', retryable: false };

/** The session still works: a call is answered. */
async function works(agent: Agent): Promise<void> {
  outputOf(await agent.call('cancel_call', { call_id: 'no such call' }));
}

/** Sends what is no message and waits for its error; the connection must stay open. */
async function refused(agent: Agent, text: string, says?: RegExp): Promise<void> {
  const before = agent.received.length;
  agent.send(text);
  const answer = await agent.until(
    () => agent.received.slice(before).find(({ type }) => type === 'error'),
    `an error for ${text.slice(0, 60)}`,
  );
  checkError(answer, { ...INVALID, ...(says && { says }) });
  await works(agent);
}

/** A call of cancel_call whose whole message nests so deep; what is undeclared in its input is dropped (D6). */
function deepCall(agent: Agent, depth: number): string {
  const nested = `${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`;
  return JSON.stringify({
    protocol: PROTOCOL,
    type: 'tool_call',
    session_id: agent.sessionId,
    message_id: crypto.randomUUID(),
    call_id: `depth ${depth}`,
    tool: 'cancel_call',
    input: { call_id: 'no such call', nested: 0 },
  }).replace('"nested":0', `"nested":${nested}`);
}

export const FRAMING: Case[] = [
  {
    rule: 'A1',
    title: 'CR before LF, blank lines and a line that comes in pieces are all taken',
    on: ['tcp'],
    async run(site) {
      const agent = await site.open();
      const id = crypto.randomUUID();
      const line = JSON.stringify({ protocol: PROTOCOL, type: 'manifest_request', session_id: agent.sessionId, message_id: id });
      agent.wire.sendBytes(utf8.encode(`\n\r\n${line.slice(0, 20)}`));
      await site.pass(50);
      agent.wire.sendBytes(utf8.encode(`${line.slice(20)}\r\n\n`));
      await agent.until(() => agent.received.filter(({ type }) => type === 'session_init')[1], 'the session_init that was asked for');
      checkSame(agent.received.filter(({ type }) => type === 'error').length, 0, 'the number of errors');
    },
  },
  {
    rule: 'A1',
    title: 'bytes that are not UTF-8 are refused and the connection stays open',
    on: ['tcp'],
    async run(site) {
      const agent = await site.open();
      agent.wire.sendBytes(Uint8Array.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
      checkError(await agent.message(({ type }) => type === 'error', 'an error'), INVALID);
      await works(agent);
    },
  },
  {
    rule: 'A1',
    title: 'a binary frame closes with 1003',
    on: ['websocket'],
    async run(site) {
      const agent = await site.open();
      agent.wire.sendBytes(utf8.encode('{}'));
      await agent.endsWith(1003);
    },
  },
  {
    rule: 'A2',
    title: 'a message of exactly 1 MiB is taken',
    async run(site) {
      const agent = await site.open();
      const call = (filling: string) => agent.start('cancel_call', { call_id: 'no such call', filling }, 'large');
      const envelope = { protocol: PROTOCOL, type: 'tool_call', session_id: agent.sessionId, message_id: NIL_UUID };
      const bare = { ...envelope, call_id: 'large', tool: 'cancel_call', input: { call_id: 'no such call', filling: '' } };
      outputOf(await agent.result(call('x'.repeat(MESSAGE_BYTES - JSON.stringify(bare).length))));
    },
  },
  {
    rule: 'A2',
    title: 'a larger message closes the connection with 1009, on TCP after an error',
    async run(site) {
      const agent = await site.open();
      agent.send(JSON.stringify('x'.repeat(MESSAGE_BYTES)));
      await agent.endsWith(1009);
    },
  },
  {
    rule: 'A2',
    title: `a message nests at most ${MESSAGE_DEPTH} deep`,
    async run(site) {
      const agent = await site.open();
      agent.send(deepCall(agent, MESSAGE_DEPTH));
      const isAnswer = ({ type }: Message) => type === 'error' || type === 'tool_result';
      outputOf(await agent.message(isAnswer, `an answer to a call ${MESSAGE_DEPTH} deep`));
      agent.send(deepCall(agent, MESSAGE_DEPTH + 1));
      const tooDeep = agent.until(() => agent.received.filter(isAnswer)[1], `an answer to a message ${MESSAGE_DEPTH + 1} deep`);
      checkError(await tooDeep, INVALID);
    },
  },
  {
    rule: 'A3',
    title: 'what is no JSON object is an error, and the connection stays open',
    async run(site) {
      const agent = await site.open();
      for (const text of ['hello', '{"protocol":', '[]', '17', 'null']) await refused(agent, text);
    },
  },
  {
    rule: 'A3',
    title: 'an error names the JSON pointer of what the schema refuses',
    async run(site) {
      const agent = await site.open();
      const message = { protocol: PROTOCOL, type: 'session_close', session_id: agent.sessionId, message_id: crypto.randomUUID() };
      await refused(agent, JSON.stringify({ ...message, reason: 17 }), /\/reason/);
      await refused(agent, JSON.stringify({ ...message, type: 'heartbeat', message_id: 'one' }), /\/message_id/);
      const { protocol: _, ...without } = message;
      await refused(agent, JSON.stringify(without), /protocol/);
    },
  },
  {
    rule: 'A3',
    title: 'a UUID with urn:uuid: before it is refused',
    async run(site) {
      const agent = await site.open();
      const urn = { protocol: PROTOCOL, type: 'heartbeat', session_id: agent.sessionId, message_id: `urn:uuid:${crypto.randomUUID()}` };
      await refused(agent, JSON.stringify(urn), /\/message_id/);
    },
  },
  {
    rule: 'A3',
    title: `${FAULTS} refused messages close the connection with 1008, one less does not`,
    async run(site) {
      const agent = await site.open();
      for (let count = 1; count < FAULTS; count++) agent.send('nonsense');
      await works(agent);
      agent.send('nonsense');
      await agent.endsWith(1008);
      checkSame(agent.received.filter(({ type }) => type === 'error').length >= FAULTS, true, 'that every fault got an error');
    },
  },
  {
    rule: 'A4',
    title: 'another protocol version is told protocol_mismatch, and the connection closes',
    async run(site) {
      const agent = await site.connect();
      const id = agent.say('manifest_request', { protocol: 'aicc/9.9', session_id: NIL_UUID });
      checkError(await agent.error(id), { code: 'protocol_mismatch', retryable: false });
      await agent.ended();
    },
  },
  {
    rule: 'A5',
    title: 'unknown members are refused',
    async run(site) {
      const agent = await site.open();
      const id = agent.say('heartbeat', { mood: 'fine' });
      checkError(await agent.error(id), { ...INVALID, says: /mood/ });
      agent.say('tool_call', { call_id: 'more', tool: 'cancel_call', input: { call_id: 'x' }, mood: 'fine' });
      checkFailed(await agent.result('more'), { ...INVALID, says: /mood/ });
    },
  },
  {
    rule: 'A6',
    title: 'what only the bridge may send is refused',
    async run(site) {
      const agent = await site.open();
      const others: [string, JsonObject][] = [
        ['event', { topic: 'audio', payload: {} }],
        ['tool_result', { call_id: 'x', ok: true }],
        ['error', { error: { code: 'timeout', message: 'late', retryable: true } }],
        ['gossip', {}],
      ];
      for (const [type, members] of others) checkError(await agent.error(agent.say(type, members)), { ...INVALID, says: /type/ });
    },
  },
  {
    rule: 'A7',
    title: "an error bears the offending message's id, or a fresh one where that is no UUID",
    async run(site) {
      const agent = await site.open();
      await agent.error(agent.say('heartbeat', { mood: 'fine' }));
      const before = agent.received.length;
      agent.say('heartbeat', { message_id: 'seventeen' });
      const answer = await agent.until(() => agent.received.slice(before).find(({ type }) => type === 'error'), 'an error');
      check(UUID.test(answer.message_id) && answer.message_id !== NIL_UUID, `the message_id is ${answer.message_id}, no fresh UUID`);
    },
  },
  {
    rule: 'A7',
    title: 'a malformed tool_call whose call_id can be read gets a tool_result, once',
    async run(site) {
      const agent = await site.open();
      agent.say('tool_call', { call_id: 'malformed', tool: 'cancel_call', input: 'no object' });
      checkFailed(await agent.result('malformed'), { ...INVALID, says: /\/input/ });
      const again = agent.say('tool_call', { call_id: 'malformed', tool: 'cancel_call', input: 'no object' });
      checkError(await agent.error(again), { code: 'invalid_input' });
      checkSame(agent.results('malformed').length, 1, 'the number of results');
    },
  },
  {
    rule: 'A8',
    title: 'a first line that looks like an HTTP request closes the connection silently',
    on: ['tcp'],
    async run(site) {
      const agent = await site.connect();
      agent.send('GET /agent HTTP/1.1\r\nHost: 127.0.0.1\r\n\r');
      await agent.ended();
      checkSame(agent.received.length, 0, 'the number of messages');
    },
  },
];
