import type { Case } from '../case.ts';
import { check, checkSame, show } from '../failure.ts';
import { checkError, checkFailed, type Init, type Json, NIL_UUID, outputOf, UUID_V4 } from '../messages.ts';
import type { Site } from '../site.ts';
import { RefusedHandshake } from '../wire.ts';

const SILENCE_MS = 2_000;
const DEADLINE_MS = 10_000;
const NOBODY = 'conformance_nobody';
const ABSENT = { code: 'tool_unavailable', retryable: true };
const INVALID = { code: 'invalid_input', retryable: false };
const DEFAULT_TOPICS = ['collision', 'audio', 'state_change', 'agent_message'];
const TICK_MODES = ['fixed', 'event', 'hybrid'];

/** The first answer on a connection, which is a session of the default character, or why there is none (B4). */
async function opensDefault(site: Site, how: (agent: Awaited<ReturnType<Site['connect']>>) => unknown): Promise<void> {
  const agent = await site.connect();
  await how(agent);
  const first = await agent.until(() => agent.received[0], 'session_init');
  if (first.type === 'error') checkError(first, ABSENT);
  else checkSame(first.type, 'session_init', 'the type of the first message');
}

const noToken = (site: Site) => (site.target.token === undefined ? true : 'it is for bridges that ask for no token');

function checkTopics(init: Init, wanted: string[]): void {
  checkSame([...(init.event_subscriptions ?? [])].sort(), [...wanted].sort(), 'event_subscriptions');
}

export const OPENING: Case[] = [
  {
    rule: 'B1',
    title: 'a connect line says which model drives and which topics it wants',
    async run(site) {
      const agent_model = { class: 'edge_small', expected_first_token_ms: 40, expected_full_response_ms: 120 };
      const agent = await site.open({ agent_model, event_subscriptions: ['audio'] });
      checkSame(agent.manifest.agent_model, agent_model, 'agent_model');
      checkTopics(agent.manifest, ['audio']);
    },
  },
  {
    rule: 'B1',
    title: 'the query of the address says the same as a connect line',
    on: ['websocket'],
    async run(site) {
      const { character, world } = site.target;
      const query = { model: 'edge_small', first_token_ms: '40', full_response_ms: '120', subscribe: 'tick,audio' };
      const agent = await site.connect({ query: { ...query, ...(world && { world }), ...(character && { character }) } });
      await agent.opened();
      const model = { class: 'edge_small', expected_first_token_ms: 40, expected_full_response_ms: 120 };
      checkSame(agent.manifest.agent_model, model, 'agent_model');
      checkTopics(agent.manifest, ['tick', 'audio']);
    },
  },
  {
    rule: 'B1',
    title: 'a connect line is closed: what it does not know is refused, and another try is open',
    async run(site) {
      const agent = await site.connect();
      for (const wrong of [
        { colour: 'red' },
        { wait_ms: 60_001 },
        { event_subscriptions: ['smell'] },
        { agent_model: { class: 'huge' } },
      ]) {
        const before = agent.received.length;
        agent.ask(site.whereTo(wrong));
        checkError(await agent.until(() => agent.received[before], `an answer to ${show(wrong)}`), INVALID);
      }
      agent.ask(site.whereTo());
      await agent.message(({ type }) => type === 'session_init', 'session_init');
    },
  },
  {
    rule: 'B1',
    title: 'wait_ms waits for a character that is not there yet',
    takesMs: 4_500,
    async run(site) {
      const agent = await site.connect();
      agent.ask(site.whereTo({ character: NOBODY, wait_ms: 4_000 }));
      await site.pass(1_000);
      checkSame(agent.received.length, 0, 'the number of messages while the opening waits');
      await site.pass(3_500);
      checkError(await agent.until(() => agent.received[0], 'an error'), ABSENT);
    },
  },
  {
    rule: 'B1',
    title: 'with observe every result carries the newest snapshot',
    async run(site) {
      const agent = await site.open({ observe: true });
      const { meta } = await agent.call('cancel_call', { call_id: 'no such call' });
      const snapshot = meta?.snapshot;
      check(typeof snapshot === 'object' && snapshot !== null, `meta is ${show(meta)}`);
      await agent.leave();
      const plain = await site.open();
      const { meta: other } = await plain.call('cancel_call', { call_id: 'no such call' });
      check(!('snapshot' in (other ?? {})), 'a snapshot comes unasked');
    },
  },
  {
    rule: 'B2',
    title: 'session_init comes first: a fresh v4 UUID, the world, the model by default cloud_medium, all topics but tick',
    async run(site) {
      const first = await site.open();
      const { agent_model, session_id, tick_mode, tick_rate_hz } = first.manifest;
      checkSame(first.received[0]?.type, 'session_init', 'the first message');
      check(UUID_V4.test(session_id), `the session id ${session_id} is no v4 UUID`);
      checkSame(agent_model.class, 'cloud_medium', 'the default model');
      check(TICK_MODES.includes(tick_mode) && tick_rate_hz > 0, `the world ticks ${tick_mode} at ${tick_rate_hz} Hz`);
      checkTopics(first.manifest, DEFAULT_TOPICS);
      await first.leave();
      const second = await site.open();
      check(second.sessionId !== session_id, 'the next session has the same id');
      checkSame(second.manifest.tools, first.manifest.tools, 'the catalogue of the next session');
    },
  },
  {
    rule: 'B3',
    title: 'a manifest_request with the nil UUID opens the default character',
    applies: noToken,
    run: (site) => opensDefault(site, (agent) => agent.say('manifest_request', { session_id: NIL_UUID })),
  },
  {
    rule: 'B3',
    title: 'so do 2 s of silence',
    applies: noToken,
    takesMs: SILENCE_MS,
    run: (site) => opensDefault(site, () => site.pass(SILENCE_MS + 200)),
  },
  {
    rule: 'B3',
    title: 'a connection without a session for 10 s after an opening error is closed',
    takesMs: DEADLINE_MS,
    async run(site) {
      const agent = await site.connect();
      agent.ask(site.whereTo({ character: NOBODY }));
      await agent.until(() => agent.received[0], 'an error');
      await site.pass(DEADLINE_MS + 500);
      await agent.ended();
    },
  },
  {
    rule: 'B4',
    title: 'an absent character is tool_unavailable and worth another try, on the same connection; the message names those there are',
    async run(site) {
      const agent = await site.connect();
      agent.ask(site.whereTo({ character: NOBODY }));
      const answer = await agent.until(() => agent.received[0], 'an error');
      checkError(answer, ABSENT);
      const { character } = site.target;
      if (character !== undefined) check(answer.error?.message.includes(character) === true, `the message does not name ${character}`);
      agent.ask(site.whereTo());
      await agent.message(({ type }) => type === 'session_init', 'session_init');
    },
  },
  {
    rule: 'B4',
    title: 'an absent world is tool_unavailable and worth another try',
    on: ['websocket', 'tcp'],
    async run(site) {
      const agent = await site.connect();
      agent.ask(site.whereTo({ world: NOBODY }));
      checkError(await agent.until(() => agent.received[0], 'an error'), ABSENT);
    },
  },
  {
    rule: 'B4',
    title: 'a character takes no more agents than it may: the next one is told that it is taken',
    async run(site) {
      const most = 8;
      await site.open();
      for (let count = 1; count < most; count++) {
        const agent = await site.connect();
        agent.ask(site.whereTo());
        const first = await agent.until(() => agent.received[0], 'an answer to the connect line');
        if (first.type === 'error') return checkError(first, ABSENT);
      }
    },
  },
  {
    rule: 'B5',
    title: 'a token in the address is refused',
    on: ['websocket'],
    async run(site) {
      const agent = await site.connect({ query: { token: 'secret' } });
      checkError(await agent.until(() => agent.received[0], 'an error'), INVALID);
    },
  },
  {
    rule: 'B5',
    title: 'of the subprotocols the server selects aicc.v0.1',
    on: ['websocket'],
    async run(site) {
      let protocol = '';
      await site.connect({ protocols: ['aicc.other', 'aicc.v0.1'], selected: (name) => (protocol = name) });
      checkSame(protocol, 'aicc.v0.1', 'the subprotocol');
    },
  },
  {
    rule: 'B5',
    title: 'a wrong token and a missing one are refused without a word about the worlds',
    on: ['websocket', 'tcp'],
    applies: (site) => (site.target.token === undefined ? 'it is for bridges that ask for a token' : true),
    async run(site) {
      for (const token of ['wrong', null]) {
        if (site.transport === 'websocket') {
          const status = await site.connect({ token }).then(
            () => 101,
            (error: unknown) => (error instanceof RefusedHandshake ? error.status : 0),
          );
          checkSame(status, 401, `the HTTP status for ${token === null ? 'no token' : 'a wrong one'}`);
        } else {
          const agent = await site.connect();
          const { token: _, ...without } = site.whereTo();
          agent.ask(token === null ? without : { ...without, token });
          checkError(await agent.until(() => agent.received[0], 'an error'), { code: 'invalid_input', says: /^unauthorized$/ });
          await agent.ended();
        }
      }
    },
  },
  {
    rule: 'B6',
    title: 'a driver in the page takes no place from an agent: it loses control while one is there, and gains it afterwards',
    tools: ['conformance_builtin'],
    takesMs: 250,
    async run(site) {
      const first = await site.open();
      const { told } = outputOf(await first.call('conformance_builtin'));
      checkSame((told as Json[] | undefined)?.at(-1), ['control_lost', 'tool_unavailable, retryable'], 'what it was told, and answered');
      await first.leave();
      await site.pass(250);
      const { told: later } = outputOf(await (await site.open()).call('conformance_builtin'));
      checkSame((later as Json[] | undefined)?.at(-2), ['control_gained', 'ok'], 'what it was told, and answered, between two agents');
    },
  },
  {
    rule: 'B8',
    title: 'a spectator gets the catalogue, has every call refused, and takes no place from an agent',
    async run(site) {
      const spectator = await site.open({ spectate: true });
      for (const id of spectator.manifest.tools.map((tool) => tool.id))
        checkFailed(await spectator.call(id), { code: 'tool_unavailable', retryable: false });
      const driver = await site.open();
      await driver.settled();
    },
  },
  {
    rule: 'B2',
    title: 'what is sent before session_init has come is not lost',
    async run(site) {
      const agent = await site.connect();
      agent.ask(site.whereTo());
      const id = agent.say('heartbeat', { session_id: crypto.randomUUID() });
      checkError(await agent.error(id), { code: 'session_expired', retryable: false });
      await agent.message(({ type }) => type === 'session_init', 'session_init');
      outputOf(await agent.call('cancel_call', { call_id: 'no such call' }));
    },
  },
];
