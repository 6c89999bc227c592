import type { Agent } from '../agent.ts';
import type { Case } from '../case.ts';
import { check, checkSame, show } from '../failure.ts';
import { checkError, checkFailed, type Message, outputOf } from '../messages.ts';
import { messageProblem } from '../schema.ts';

const EXPIRED = { code: 'session_expired', retryable: false };
const HEARTBEAT_MS = 10_000;
const DETACHED_MS = 60_000;
const GIVES_WAY_MS = 5_000;
const MANIFESTS_A_SECOND = 5;

const inits = (agent: Agent): Message[] => agent.received.filter(({ type }) => type === 'session_init');
const heartbeats = (agent: Agent): Message[] => agent.received.filter(({ type }) => type === 'heartbeat');

/** Has one result, then loses its connection without a word. @returns the session id and that result */
async function lose(agent: Agent): Promise<{ id: string; result: Message }> {
  const result = await agent.call('cancel_call', { call_id: 'no such call' });
  agent.wire.cut();
  await agent.ended();
  return { id: agent.sessionId, result };
}

export const SESSION_LIFE: Case[] = [
  {
    rule: 'C1',
    title: 'an unknown session id is session_expired, however often, and reaches nobody',
    async run(site) {
      const agent = await site.open();
      for (let count = 0; count < 25; count++) {
        checkError(await agent.error(agent.say('heartbeat', { session_id: crypto.randomUUID() })), EXPIRED);
      }
      const id = agent.say('tool_call', {
        session_id: crypto.randomUUID(),
        call_id: 'astray',
        tool: 'cancel_call',
        input: { call_id: 'x' },
      });
      checkError(await agent.error(id), EXPIRED);
      await agent.settled();
      checkSame(agent.results('astray').length, 0, 'the number of results of a call with an unknown session id');
    },
  },
  {
    rule: 'C1',
    title: "another connection's session id is session_expired",
    async run(site) {
      const owner = await site.open();
      const thief = await site.connect();
      const id = thief.say('manifest_request', { session_id: owner.sessionId });
      checkError(await thief.error(id), EXPIRED);
      thief.say('session_close', { session_id: owner.sessionId });
      await thief.until(() => thief.received[1], 'a second error');
      await owner.settled();
    },
  },
  {
    rule: 'C2',
    title: `manifest_request is answered by session_init with the same id, at most ${MANIFESTS_A_SECOND} times a second`,
    async run(site) {
      const agent = await site.open();
      agent.say('manifest_request');
      const again = await agent.until(() => inits(agent)[1], 'a second session_init');
      const { message_id: _a, ...first } = agent.manifest;
      const { message_id: _b, ...second } = again;
      checkSame(second, first, 'the second session_init');
      const asked = 30;
      for (let count = 0; count < asked; count++) agent.say('manifest_request');
      await agent.settled();
      const refused = agent.received.filter(({ type }) => type === 'error').length;
      check(refused > 0, `all of ${asked} requests at once were answered`);
      checkSame(inits(agent).length - 2 + refused, asked, 'the number of answers');
    },
  },
  {
    rule: 'C3',
    title: 'the bridge sends a heartbeat every 10 s, and does not answer the answer',
    takesMs: 2 * HEARTBEAT_MS,
    async run(site) {
      const agent = await site.open();
      for (let count = 1; count <= 2; count++) {
        await site.pass(HEARTBEAT_MS);
        const own = await agent.until(() => heartbeats(agent)[count - 1], `heartbeat ${count}`);
        agent.say('heartbeat', { message_id: own.message_id });
        await agent.settled();
        checkSame(heartbeats(agent).length, count, 'the number of heartbeats');
      }
    },
  },
  {
    rule: 'C3',
    title: "an agent's heartbeat is answered by one with the same message_id, at most once a second",
    async run(site) {
      const agent = await site.open();
      const ids = [1, 2, 3].map(() => agent.say('heartbeat'));
      await agent.settled();
      checkSame(
        heartbeats(agent).map(({ message_id }) => message_id),
        ids.slice(0, 1),
        'the ids of the answers to three heartbeats at once',
      );
    },
  },
  {
    rule: 'C3',
    title: 'a changed catalogue comes as manifest_update',
    tools: ['conformance_catalogue'],
    takesMs: 1_000,
    async run(site) {
      const agent = await site.open();
      for (const [index, present] of [true, false].entries()) {
        outputOf(await agent.call('conformance_catalogue', { present }));
        await site.pass(1_000);
        const updates = () => heartbeats(agent).filter((message) => message.manifest_update !== undefined);
        const { manifest_update: update, ...heartbeat } = await agent.until(() => updates()[index], 'a manifest_update');
        checkSame(heartbeat.message_id === undefined, false, 'that it has a message_id');
        const whole = { ...update, session_id: agent.sessionId, message_id: heartbeat.message_id };
        checkSame(messageProblem(whole), undefined, 'what speaks against the manifest_update as a session_init');
        const tools = (update?.tools ?? []) as { id: string }[];
        checkSame(
          tools.some(({ id }) => id === 'conformance_extra'),
          present,
          'whether the catalogue has conformance_extra',
        );
        if (!present) checkSame(tools, agent.manifest.tools, 'the catalogue that is as it was');
      }
    },
  },
  {
    rule: 'C4',
    title: 'a session survives the loss of its connection, and its running calls go on',
    tools: ['conformance_wait'],
    async run(site) {
      const agent = await site.open();
      const call = agent.start('conformance_wait', { ms: 300 });
      await agent.settled();
      const { id } = await lose(agent);
      const back = await site.resume(id);
      checkSame(back.sessionId, id, 'the session id');
      outputOf(await back.result(call));
    },
  },
  {
    rule: 'C4',
    title: 'a WebSocket that closes with 1000 ends the session',
    on: ['websocket', 'memory'],
    async run(site) {
      const agent = await site.open();
      await agent.settled();
      agent.wire.close();
      await agent.ended();
      await site.expired(agent.sessionId);
    },
  },
  {
    rule: 'C4',
    title: 'a session whose agent never said anything ends with its connection',
    async run(site) {
      const agent = await site.open();
      agent.wire.cut();
      await agent.ended();
      await site.expired(agent.sessionId);
    },
  },
  {
    rule: 'C4',
    title: 'a detached session ends after 60 s',
    takesMs: DETACHED_MS,
    async run(site) {
      const { id } = await lose(await site.open());
      await site.pass(DETACHED_MS + 1_000);
      await site.expired(id);
    },
  },
  {
    rule: 'C5',
    title: 'session_resume gives session_init with the same id, then every retained result, the same to the byte',
    async run(site) {
      const { id, result } = await lose(await site.open());
      const back = await site.connect();
      if (site.target.token !== undefined && site.transport === 'tcp') back.ask(site.whereTo({ resume: id }));
      else back.say('session_resume', { session_id: id });
      const init = await back.until(() => back.received[0], 'session_init');
      checkSame([init.type, init.session_id], ['session_init', id], 'the first message');
      checkSame(await back.result(result.call_id ?? ''), result, 'the result that was sent before');
    },
  },
  {
    rule: 'C5',
    title: 'with last_seq only what came after it is sent again',
    async run(site) {
      const agent = await site.open();
      const known = await agent.call('cancel_call', { call_id: 'one' });
      const { id, result } = await lose(agent);
      const back = await site.resume(id, { last_seq: Number(known.meta?.seq) });
      checkSame(await back.result(result.call_id ?? ''), result, 'the later result');
      await back.settled();
      checkSame(back.results(known.call_id ?? '').length, 0, 'how often the known result was repeated');
    },
  },
  {
    rule: 'C5',
    title: 'events since the loss are kept',
    tools: ['conformance_emit'],
    async run(site) {
      const agent = await site.open();
      agent.start('conformance_emit', { topic: 'agent_message', text: 'are you there?', after_ms: 300 });
      await agent.settled();
      const { id } = await lose(agent);
      const back = await site.resume(id);
      checkSame((await back.event('agent_message')).payload?.text, 'are you there?', 'the text');
    },
  },
  {
    rule: 'C5',
    title: 'a connection that is still attached is closed with 4001, and what it sends is dropped',
    async run(site) {
      const old = await site.open();
      await old.settled();
      const fresh = await site.resume(old.sessionId);
      await old.endsWith(4001);
      await fresh.settled();
      checkSame(fresh.sessionId, old.sessionId, 'the session id');
    },
  },
  {
    rule: 'C5',
    title: 'an unknown session cannot be resumed: session_expired',
    run: (site) => site.expired(crypto.randomUUID()),
  },
  {
    rule: 'B7',
    title: 'a session that has been detached for 5 s gives way to a new one',
    takesMs: GIVES_WAY_MS,
    async run(site) {
      const { id } = await lose(await site.open());
      await site.pass(GIVES_WAY_MS + 500);
      const others: Agent[] = [];
      // As many as the character takes, and one more would do it.
      for (let count = 0; count < 8; count++) {
        const agent = await site.connect();
        agent.ask(site.whereTo());
        const first = await agent.until(() => agent.received[0], 'an answer to the connect line');
        if (first.type === 'error') break;
        others.push(agent);
      }
      check(others.length > 0, 'nobody else was let in');
      await site.expired(id);
    },
  },
  {
    rule: 'C7',
    title: 'session_close ends running calls with execution_failed, then is answered, then the connection closes with 1000',
    async run(site) {
      const agent = await site.open();
      const waits = site.tool('conformance_wait') !== undefined;
      if (waits) {
        agent.start('conformance_wait', {}, 'running');
        await agent.settled();
      }
      agent.say('session_close', { reason: 'enough' });
      await agent.endsWith(1000);
      checkSame(agent.received.at(-1)?.type, 'session_close', 'the last message');
      if (waits) checkFailed(await agent.result('running'), { code: 'execution_failed' });
      await site.expired(agent.sessionId);
    },
  },
  {
    rule: 'C8',
    title: 'a character whose body goes keeps its session; its calls are tool_unavailable until the next body is there',
    tools: ['conformance_body', 'conformance_echo'],
    takesMs: 2_000,
    async run(site) {
      const agent = await site.open();
      await agent.call('conformance_body', { ms: 2_000 });
      checkFailed(await agent.call('conformance_echo', { text: 'hello' }), { code: 'tool_unavailable', retryable: true });
      await site.pass(2_200);
      checkSame(outputOf(await agent.call('conformance_echo', { text: 'hello' })).got, { text: 'hello' }, 'what the next body got');
      check(agent.ending === undefined, `the connection ended: ${show(agent.ending)}`);
    },
  },
];
