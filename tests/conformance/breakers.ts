import { randomUUID } from 'node:crypto';
import type { Transport } from '../../src/conformance/index.ts';
import type { TickMode } from '../../src/protocol/index.ts';
import { type Breaker, type Loose, wrongError, wrongHeartbeat } from './broken-bridge.ts';

/** One way to be wrong, and what of it must be found: a rule, words of the title, and words of the complaint. */
export interface Mistake {
  name: string;
  on?: Transport;
  token?: string;
  /** Default `hybrid`. */
  tickMode?: TickMode;
  /** Wall time never passes. */
  stopped?: boolean;
  make(): Breaker;
  finds: [rule: string, title: string, why: RegExp][];
}

type Edit = (message: Loose) => unknown;

const isA = (message: Loose, type: string) => message.type === type;
/** A member that is an object, made where there is none. */
function part(message: Loose, name: string): Loose {
  message[name] ??= {};
  return message[name] as Loose;
}

/** Changes messages of a type, or those that `type` says. */
const edit = (type: string | ((message: Loose) => boolean), change: Edit) => (): Breaker => ({
  down(message, pass) {
    if (typeof type === 'string' ? isA(message, type) : type(message)) change(message);
    pass(message);
  },
});
const drop = (which: (message: Loose) => boolean) => (): Breaker => ({
  down: (message, pass) => {
    if (!which(message)) pass(message);
  },
});
const swallow = (which: (message: Loose | undefined, text: string) => boolean) => (): Breaker => ({
  up: (message, text, pass) => {
    if (!which(message, text)) pass(text);
  },
});
/** Changes connect lines. */
const editConnect = (change: Edit) => (): Breaker => ({
  up(message, text, pass) {
    if (message?.connect === undefined) return pass(text);
    change(message.connect as Loose);
    pass(JSON.stringify(message));
  },
});
const succeed: Edit = (message) => {
  message.ok = true;
  message.output ??= {};
  delete message.error;
};
const failed = (message: Loose) => isA(message, 'tool_result') && message.ok === false;
const isEvent = (topic: string) => (message: Loose) => message.topic === topic;
const errorOf = (message: Loose) => part(message, 'error');
/** Every second message of a kind goes before the first. */
const swapped = (which: (message: Loose) => boolean) => (): Breaker => {
  let held: Loose | undefined;
  return {
    down(message, pass) {
      if (!which(message)) return pass(message);
      if (held === undefined) held = message;
      else {
        pass(message);
        pass(held);
        held = undefined;
      }
    },
  };
};

export const MISTAKES: Mistake[] = [
  {
    name: 'takes a blank line for a message',
    on: 'tcp',
    make: () => ({
      bytes(pass, answer) {
        answer(wrongError(undefined));
        pass();
      },
    }),
    finds: [['A1', 'CR before LF', /errors is 2, not 0/]],
  },
  {
    name: 'is silent about bytes that are no text',
    on: 'tcp',
    make: () => ({ bytes() {} }),
    finds: [['A1', 'not UTF-8', /error has not come/]],
  },
  {
    name: 'takes binary frames',
    on: 'websocket',
    make: () => ({ bytes() {} }),
    finds: [['A1', 'binary', /the end of the connection has not come/]],
  },
  {
    name: 'loses large messages',
    make: swallow((_message, text) => text.length >= 1_048_576),
    finds: [
      ['A2', 'exactly', /tool_result .* has not come/],
      ['A2', 'a larger', /the end of the connection has not come/],
    ],
  },
  {
    name: 'makes every call succeed',
    make: edit(failed, succeed),
    finds: [
      ['A5', 'unknown members', /succeeded/],
      ['A7', 'a malformed', /succeeded/],
      ['D3', 'capability', /succeeded/],
      ['D4', 'contract', /succeeded/],
      ['D5', 'not available', /succeeded/],
      ['D6', 'misses', /succeeded/],
      ['D6', 'every failing', /succeeded/],
      ['D6', 'strict_input', /succeeded/],
      ['D7', 'calls_per_minute', /succeeded/],
      ['D7', 'calls_per_session', /succeeded/],
      ['D7', 'pending', /succeeded/],
      ['D8', 'tick', /succeeded/],
      ['D9', 'runs when', /succeeded/],
      ['D9', 'nobody answers', /succeeded/],
      ['D10', 'preempt', /succeeded/],
      ['D10', 'eight', /succeeded/],
      ['D10', 'reject', /succeeded/],
      ['D12', 'timeout', /succeeded/],
      ['D13', 'failing', /succeeded/],
      ['D14', 'no output', /succeeded/],
      ['D17', 'running', /succeeded/],
      ['D18', 'once', /succeeded/],
      ['D18', 'deadline', /succeeded/],
    ],
  },
  {
    name: 'makes every call of a body that is gone succeed',
    make: edit(failed, succeed),
    finds: [['C8', 'body', /succeeded/]],
  },
  {
    name: 'makes every call in a paused world succeed',
    make: edit(failed, succeed),
    finds: [['E6', 'paused', /succeeded/]],
  },
  {
    name: 'says nothing in its errors',
    make: edit(
      (message) => message.error !== undefined,
      (message) => (errorOf(message).message = 'no'),
    ),
    finds: [
      ['A3', 'pointer', /does not say/],
      ['A3', 'urn', /does not say/],
      ['A5', 'unknown members', /does not say/],
      ['A6', 'only the bridge', /does not say/],
      ['D2', 'tool_unknown', /does not say/],
      ['D3', 'capability', /does not say/],
      ['D5', 'not available', /does not say/],
      ['D6', 'every failing', /does not say/],
      ['D8', 'tick', /does not say/],
      ['D13', 'failing', /does not say/],
      ['D17', 'running', /does not say/],
    ],
  },
  {
    name: 'turns retryable round',
    make: edit(
      (message) => message.error !== undefined,
      (message) => (errorOf(message).retryable = errorOf(message).retryable !== true),
    ),
    finds: [
      ['A4', 'version', /retryable/],
      ['B1', 'wait_ms', /retryable/],
      ['B4', 'absent character', /retryable/],
      ['B4', 'no more agents', /retryable/],
      ['C1', 'unknown session', /retryable/],
      ['D12', 'timeout', /retryable/],
      ['D7', 'calls_per_session', /retryable/],
    ],
  },
  {
    name: 'is certain that there will never be such a world',
    on: 'tcp',
    make: edit('error', (message) => (errorOf(message).retryable = false)),
    finds: [['B4', 'absent world', /retryable/]],
  },
  {
    name: 'takes any depth',
    make: () => ({
      up(message, text, pass, answer) {
        if (message?.call_id === 'depth 65')
          answer({ ...message, type: 'tool_result', ok: true, output: {}, tool: undefined, input: undefined });
        else pass(text);
      },
    }),
    finds: [['A2', 'deep', /has no error/]],
  },
  {
    name: 'is silent about what is no object',
    make: swallow((message) => message === undefined),
    finds: [
      ['A3', 'no JSON object', /error .* has not come/],
      ['A3', 'refused messages close', /the end of the connection has not come/],
    ],
  },
  {
    name: 'hangs up on the first fault',
    make: () => {
      let wire = false;
      return {
        up(message, text, pass, answer) {
          if (message !== undefined && !wire) return pass(text);
          wire = true;
          answer(wrongError(undefined));
        },
      };
    },
    finds: [['A3', 'refused messages close', /has not come/]],
  },
  {
    name: 'never hangs up',
    make: () => ({ ended() {} }),
    finds: [
      ['A4', 'version', /the end of the connection has not come/],
      ['B3', '10 s', /the end of the connection has not come/],
      ['C7', 'session_close', /the end of the connection has not come/],
    ],
  },
  {
    name: 'never hangs up on a browser',
    on: 'tcp',
    make: swallow((_message, text) => text.startsWith('GET ')),
    finds: [['A8', 'HTTP', /the end of the connection has not come/]],
  },
  {
    name: 'drops unknown members',
    make: () => ({
      up(message, text, pass) {
        if (message === undefined) return pass(text);
        const { mood: _, ...known } = message;
        pass(JSON.stringify(known));
      },
    }),
    finds: [['A5', 'unknown members', /has not come/]],
  },
  {
    name: 'answers with ids of its own',
    make: edit('error', (message) => (message.message_id = randomUUID())),
    finds: [
      ['A7', 'bears', /error that answers .* has not come/],
      ['C1', "another connection's", /error that answers .* has not come/],
    ],
  },
  {
    name: 'forgets what the connect line says',
    make: editConnect((connect) => {
      for (const name of ['agent_model', 'event_subscriptions', 'wait_ms', 'observe', 'spectate', 'colour', 'last_seq'])
        delete connect[name];
    }),
    finds: [
      ['B1', 'which model', /agent_model is/],
      ['B1', 'closed', /has no error/],
      ['B1', 'wait_ms', /number of messages while the opening waits is 1/],
      ['B1', 'observe', /meta is/],
      ['B8', 'spectator', /the call succeeded|the code is/],
      ['C5', 'last_seq', /repeated is 1, not 0/],
      ['E4', 'at once', /what came first/],
      ['F1', 'only what', /the topics that came/],
    ],
  },
  {
    name: 'forgets what the address says',
    on: 'websocket',
    make: () => ({
      handshake: ({ query: { character, world } = {}, ...rest }) => ({
        ...rest,
        query: { ...(character && { character }), ...(world && { world }) },
      }),
    }),
    finds: [
      ['B1', 'query', /agent_model is/],
      ['B5', 'address', /an error has not come/],
    ],
  },
  {
    name: 'takes everybody for a big model that hears everything',
    make: edit('session_init', (message) => {
      message.agent_model = { class: 'cloud_large' };
      message.event_subscriptions = ['tick'];
    }),
    finds: [['B2', 'comes first', /the default model is/]],
  },
  {
    name: 'loses what comes before session_init',
    make: () => {
      let isOpen = false;
      return {
        down(message, pass) {
          isOpen ||= isA(message, 'session_init');
          pass(message);
        },
        up: (message, text, pass) => {
          if (isOpen || message?.connect !== undefined) pass(text);
        },
      };
    },
    finds: [
      ['B2', 'is not lost', /error that answers .* has not come/],
      ['B3', 'nil UUID', /session_init has not come/],
    ],
  },
  {
    name: 'never opens the default character',
    make: () => {
      let asked = false;
      return {
        up(_message, text, pass) {
          asked = true;
          pass(text);
        },
        down: (message, pass) => {
          if (asked) pass(message);
        },
      };
    },
    finds: [['B3', 'silence', /session_init has not come/]],
  },
  {
    name: 'selects no subprotocol',
    on: 'websocket',
    make: () => ({ handshake: ({ selected: _, ...rest }) => rest }),
    finds: [['B5', 'subprotocols', /the subprotocol is/]],
  },
  {
    name: 'asks nobody for a token',
    on: 'websocket',
    token: 'a-secret-of-this-test',
    make: () => ({ handshake: ({ token: _, ...rest }) => rest }),
    finds: [['B5', 'a wrong token', /HTTP status .* is 101, not 401/]],
  },
  {
    name: 'takes any session id',
    make: () => {
      let session: unknown;
      return {
        down(message, pass) {
          session = message.session_id;
          pass(message);
        },
        up(message, text, pass) {
          pass(message?.connect !== undefined ? text : JSON.stringify({ ...message, session_id: session }));
        },
      };
    },
    finds: [['C1', 'unknown session', /has not come/]],
  },
  {
    name: 'answers every manifest_request',
    make: () => {
      let init: Loose = {};
      return {
        down(message, pass) {
          if (isA(message, 'session_init')) init = message;
          pass(isA(message, 'error') ? { ...init, message_id: randomUUID() } : message);
        },
      };
    },
    finds: [['C2', 'manifest_request', /all of 30/]],
  },
  {
    name: 'answers every heartbeat, answers included',
    make: () => ({
      up(message, text, pass, answer) {
        if (message?.type === 'heartbeat') answer(wrongHeartbeat(message));
        else pass(text);
      },
    }),
    finds: [
      ['C3', 'every 10 s', /number of heartbeats/],
      ['C3', 'at most once', /answers to three/],
    ],
  },
  {
    name: 'never sends a heartbeat',
    make: drop((message) => isA(message, 'heartbeat')),
    finds: [
      ['C3', 'every 10 s', /heartbeat 1 has not come/],
      ['C3', 'manifest_update', /manifest_update has not come/],
    ],
  },
  {
    name: 'forgets a session with its connection',
    make: () => ({
      up(message, text, pass, answer) {
        const resume = (message?.connect as Loose | undefined)?.resume;
        if (resume === undefined && message?.type !== 'session_resume') pass(text);
        else answer(wrongError(message?.connect === undefined ? message : undefined, 'session_expired'));
      },
    }),
    finds: [
      ['C4', 'survives', /session_expired/],
      ['C5', 'session_resume gives', /the first message/],
      ['C5', 'last_seq', /session_expired/],
      ['C5', 'events', /session_expired/],
      ['C5', '4001', /session_expired/],
    ],
  },
  {
    name: 'opens a new session for whoever wants to resume an unknown one',
    make: editConnect((connect) => delete connect.resume),
    finds: [['C5', 'unknown session', /was resumed/]],
  },
  {
    name: 'takes an ordinary goodbye for a loss',
    make: () => ({ close: (wire) => wire.cut() }),
    finds: [['C4', '1000', /was resumed/]],
  },
  {
    name: 'keeps sessions that nobody ever used',
    make: () => {
      let greeted = false;
      let say: ((text: string) => void) | undefined;
      return {
        up(_message, text, pass) {
          say ??= pass;
          pass(text);
        },
        down(message, pass) {
          pass(message);
          if (!greeted && isA(message, 'session_init')) say?.(JSON.stringify({ ...wrongHeartbeat(message), message_id: randomUUID() }));
          greeted = true;
        },
      };
    },
    finds: [['C4', 'never said', /was resumed/]],
  },
  {
    name: 'never lets go of a session',
    stopped: true,
    make: () => ({}),
    finds: [
      ['C4', '60 s', /was resumed/],
      ['B7', '5 s', /nobody else was let in/],
    ],
  },
  {
    name: 'closes every connection with 1000 and without a word',
    make: () => ({
      down(message, pass) {
        if (!isA(message, 'session_close')) pass(message);
      },
      ended: (_ending, pass) => pass({ code: 1000, reason: '' }),
    }),
    finds: [
      ['A2', 'a larger', /closed with 1000, not 1009/],
      ['C5', '4001', /closed with 1000, not 4001/],
      ['C7', 'session_close', /the last message/],
    ],
  },
  {
    name: 'runs a call again that it has seen',
    make: () => ({
      up(message, text, pass) {
        pass(message?.type === 'tool_call' ? JSON.stringify({ ...message, call_id: `${message.call_id}#${Math.random()}` }) : text);
      },
      down(message, pass) {
        if (isA(message, 'tool_result')) message.call_id = String(message.call_id).split('#')[0];
        pass(message);
      },
    }),
    finds: [
      ['D1', 'recorded outcome', /the second answer/],
      ['D1', 'other content', /error that answers .* has not come/],
      ['D1', 'repeated while', /another answer/],
      ['D17', 'running', /the output is/],
    ],
  },
  {
    name: 'lets tools see undeclared members',
    make: edit(
      (message) => (message.output as Loose | undefined)?.got !== undefined,
      (message) => (part(part(message, 'output'), 'got').more = 1),
    ),
    finds: [['D6', 'dropped', /what the tool got/]],
  },
  {
    name: 'does not say when to try again',
    make: edit('tool_result', (message) => delete part(message, 'meta').retry_after_ms),
    finds: [['D7', 'calls_per_minute', /retry_after_ms/]],
  },
  {
    name: 'sends results in another order',
    make: swapped((message) => isA(message, 'tool_result') && String((message.meta as Loose).seq) !== '0' && message.output !== undefined),
    finds: [['D10', 'one after another', /order of the results|has not come/]],
  },
  {
    name: 'answers a call only when those before have been answered',
    make: () => {
      const open: { id: unknown; result?: Loose }[] = [];
      return {
        up(message, text, pass) {
          if (message?.type === 'tool_call') open.push({ id: message.call_id });
          pass(text);
        },
        down(message, pass) {
          const call = open.find(({ id }) => id === message.call_id);
          if (call === undefined) return pass(message);
          call.result = message;
          while (open[0]?.result) pass(open.shift()?.result as Loose);
        },
      };
    },
    finds: [['D16', 'does not hold up', /results of the slow call/]],
  },
  {
    name: 'has outputs of its own taste',
    make: edit(
      (message) => isA(message, 'tool_result') && message.ok === true,
      (message) => (message.output = { cancelled: 'perhaps' }),
    ),
    finds: [
      ['D14', 'satisfy', /the output of cancel_call does not/],
      ['D17', 'says whether', /the output is/],
    ],
  },
  {
    name: 'has no ticks',
    make: drop(isEvent('tick')),
    finds: [
      ['E4', 'at once', /what came first/],
      ['E4', 'count up', /a fourth tick has not come/],
      ['E4', 'snapshot', /event tick has not come/],
    ],
  },
  {
    name: 'stays in one tick',
    make: edit(isEvent('tick'), (message) => (part(message, 'payload').tick = 7)),
    finds: [['E4', 'count up', /came after/]],
  },
  {
    name: 'shows everything as available',
    make: edit(isEvent('tick'), (message) => (part(part(message, 'payload'), 'snapshot').available = {})),
    finds: [['E4', 'snapshot', /snapshot.available.conformance_unavailable/]],
  },
  {
    name: 'sends a tick to every model at every tick',
    make: editConnect((connect) => (connect.agent_model = { class: 'edge_small', expected_full_response_ms: 0 })),
    finds: [['E5', 'no faster', /number of ticks/]],
  },
  ...(['fixed', 'hybrid'] as const).map(
    (tickMode): Mistake => ({
      name: `says that it ticks twice as often as it does, in a ${tickMode} world`,
      tickMode,
      make: edit('session_init', (message) => (message.tick_rate_hz = Number(message.tick_rate_hz) * 2)),
      finds: [[tickMode === 'fixed' ? 'E1' : 'E3', `${tickMode}: a tick comes`, /ms of world time passed, not/]],
    }),
  ),
  {
    name: 'starts calls before the next tick',
    tickMode: 'fixed',
    make: edit('tool_result', (message) => (part(message, 'meta').tick = 0)),
    finds: [['E1', 'calls start', /ended in tick 0/]],
  },
  {
    name: 'ticks whatever is said to it',
    tickMode: 'event',
    make: () => {
      let tick: Loose | undefined;
      return {
        down(message, pass) {
          if (message.topic === 'tick') tick = message;
          if (tick !== undefined && isA(message, 'tool_result')) {
            const payload = part(tick, 'payload');
            payload.tick = Number(payload.tick) + 1;
            pass({ ...tick, message_id: randomUUID() });
          }
          pass(message);
        },
      };
    },
    finds: [['E2', 'stands still', /the world went on/]],
  },
  {
    name: 'moves on for longer than the call',
    tickMode: 'event',
    make: edit(isEvent('tick'), (message) => (part(message, 'payload').tick = Number(part(message, 'payload').tick) * 3)),
    finds: [['E2', 'as long as it takes', /moved the world by/]],
  },
  {
    name: 'starts calls in the middle of a tick',
    tickMode: 'event',
    make: edit('tool_result', (message) => (part(message, 'meta').tick = 0)),
    finds: [['E2', 'while the world moves', /ended in tick 0/]],
  },
  {
    name: 'waits for nothing outside the world',
    tickMode: 'event',
    make: edit('tool_result', (message) => (part(message, 'meta').tick = 7)),
    finds: [['E2', 'outside the world', /moved by 7 ticks/]],
  },
  {
    name: 'keeps calls until the next tick',
    make: () => {
      let tick = 0;
      return edit('tool_result', (message) => (part(message, 'meta').tick = tick++))();
    },
    finds: [['E3', 'at once', /a tick of its own/]],
  },
  {
    name: 'tells its own driver nothing',
    make: edit(
      (message) => (message.output as Loose | undefined)?.told !== undefined,
      (message) => (part(message, 'output').told = []),
    ),
    finds: [['B6', 'in the page', /what it was told/]],
  },
  {
    name: 'lets a tool go on when its call has ended',
    make: () => {
      let progress: Loose | undefined;
      return {
        down(message, pass) {
          pass(message);
          if ((message.payload as Loose | undefined)?.kind === 'progress') progress = message;
          const isOver = isA(message, 'tool_result') && message.call_id === (progress?.payload as Loose | undefined)?.call_id;
          if (isOver) pass({ ...progress, message_id: randomUUID(), meta: { tick: 1, seq: 1_000_000 } });
        },
      };
    },
    finds: [
      ['D11', 'a tool that goes on', /how often it was heard is 2/],
      ['D11', 'no progress', /its call has ended/],
    ],
  },
  {
    name: 'does not say what a tool requires',
    make: edit('session_init', (message) => {
      for (const tool of message.tools as Loose[]) delete tool.requires_capability;
    }),
    finds: [['G2', 'is listed', /what conformance_granted requires/]],
  },
  {
    name: 'does not tell what it dropped',
    make: edit('event', (message) => delete part(message, 'meta').dropped),
    finds: [['F3', 'newest', /512 came, and 0 were told/]],
  },
  {
    name: 'loses what a slow reader left',
    on: 'websocket',
    make: () => {
      let count = 0;
      return drop((message) => isEvent('agent_message')(message) && count++ === 50)();
    },
    finds: [['F4', 'stops reading', /of 785 events \d+ came/]],
  },
  {
    name: 'pauses without a word',
    make: drop((message) => String((message.payload as Loose | undefined)?.kind).startsWith('world_')),
    finds: [['E6', 'paused', /world_paused has not come/]],
  },
  {
    name: 'sends no sound',
    make: drop(isEvent('audio')),
    finds: [['F1', 'without', /event audio has not come/]],
  },
  {
    name: 'mixes up events',
    make: swapped(isEvent('agent_message')),
    finds: [['F2', 'in the order', /the texts/]],
  },
  {
    name: 'invents a capability',
    make: edit('session_init', (message) => (part(message, 'capabilities').sensors = ['sixth_sense'])),
    finds: [['G1', 'reserved', /sixth_sense/]],
  },
  {
    name: 'sends a list',
    make: () => ({
      down(message, pass) {
        pass('[]');
        pass(message);
      },
    }),
    finds: [['A1', 'every frame', /came/]],
  },
  {
    name: 'adds members of its own',
    make: edit('tool_result', (message) => (message.mood = 'fine')),
    finds: [['A5', 'every message satisfies', /mood/]],
  },
  {
    name: 'sends a heartbeat before session_init',
    make: () => {
      let first = true;
      return {
        down(message, pass) {
          if (first) pass(wrongHeartbeat({ message_id: randomUUID() }));
          first = false;
          pass(message);
        },
      };
    },
    finds: [['B2', 'nothing but errors', /a heartbeat came first/]],
  },
  {
    name: "bears another session's id",
    make: edit('tool_result', (message) => (message.session_id = randomUUID())),
    finds: [['C1', 'its own', /does not bear/]],
  },
  {
    name: 'uses a message id twice',
    make: edit('event', (message) => (message.message_id = '00000000-0000-4000-8000-000000000001')),
    finds: [['A7', 'message ids are fresh', /used before/]],
  },
  {
    name: 'sends every result twice',
    make: () => ({
      down(message, pass) {
        pass(message);
        if (isA(message, 'tool_result')) pass(message);
      },
    }),
    finds: [['D1', 'sent once', /too many/]],
  },
  {
    name: 'loses a result',
    make: drop((message) => isA(message, 'tool_result')),
    finds: [['D17', 'says whether', /tool_result of call .* has not come/]],
  },
  {
    name: 'does not say how long it took',
    make: edit('tool_result', (message) => delete part(message, 'meta').latency_ms),
    finds: [['D15', 'tick, latency_ms', /its meta is/]],
  },
  {
    name: 'counts down',
    make: () => {
      let seq = 1_000_000;
      return edit(
        (message) => message.meta !== undefined,
        (message) => (part(message, 'meta').seq = seq--),
      )();
    },
    finds: [['D15', 'counts up', /a higher one came before/]],
  },
  {
    name: 'does not say who spoke',
    make: edit(isEvent('agent_message'), (message) => delete part(message, 'payload').from),
    finds: [['F2', 'its payload', /no fitting from/]],
  },
];
