import { show } from './failure.ts';
import { type Message, NIL_UUID, UUID } from './messages.ts';
import { messageProblem } from './schema.ts';

/** What holds for every message of every case, as [rule, title]. */
export const STANDING_RULES = {
  json: ['A1', 'every frame or line is one JSON object'],
  schema: ['A5', 'every message satisfies the schema'],
  first: ['B2', 'nothing but errors comes before session_init'],
  session: ['C1', "every message bears its own session's id"],
  fresh: ['A7', 'message ids are fresh, but for an error or a heartbeat that answers'],
  once: ['D1', 'a call that is sent once gets one result'],
  meta: ['D15', 'a result says its tick, latency_ms, source and seq'],
  seq: ['D15', 'seq counts up over the results and events of a session, and stays with its message'],
  progress: ['D11', 'no progress of a call comes after its result'],
  event: ['F2', 'an event says its tick and seq, and its payload has the members of its topic'],
} as const;
export type StandingRule = keyof typeof STANDING_RULES;

/** The members that an event's payload must have, by topic. */
const PAYLOADS: { [topic: string]: { [member: string]: string } } = {
  tick: { tick: 'number', time_ms: 'number', dt_ms: 'number' },
  collision: { with: 'string', at: 'object' },
  audio: { kind: 'string', from: 'string', distance: 'number', bearing: 'number', loudness: 'number' },
  agent_message: { from: 'string', text: 'string' },
  state_change: { kind: 'string' },
};

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Watches every message of a run, for what no single case is about. */
export class Standing {
  readonly faults = new Map<StandingRule, string>();
  /** How much of each rule there was to see. */
  readonly seen = new Map<StandingRule, number>();
  readonly #texts = new Map<string, string>();
  readonly #seqs = new Map<string, Map<number, string>>();
  readonly #sent = new Map<string, number>();
  /** The seq of the results, by session and call. */
  readonly #ended = new Map<string, number>();

  /** A call was sent: it may be answered once more. */
  called(sessionId: string, callId: string): void {
    const key = `${sessionId} ${callId}`;
    this.#sent.set(key, (this.#sent.get(key) ?? 0) + 1);
  }

  /** A resume may repeat any result of the session. */
  resumed(sessionId: string): void {
    for (const [key, count] of this.#sent) if (key.startsWith(`${sessionId} `)) this.#sent.set(key, count + 1);
  }

  /** Notes what is wrong with a message. `sessionId`: of the session that is open on its connection; undefined: none yet. */
  message(message: Message, text: string, sessionId: string | undefined, sentIds: ReadonlySet<string>): void {
    const { message_id, session_id, type } = message;
    this.#rule('schema', messageProblem(message), text);
    if (sessionId === undefined) {
      this.#rule('first', type === 'error' || type === 'session_init' ? undefined : `a ${type} came first`, text);
      if (type === 'error') this.#rule('session', session_id === NIL_UUID ? undefined : 'it bears no nil UUID', text);
    } else {
      this.#rule('session', session_id === sessionId ? undefined : `it does not bear ${sessionId}`, text);
    }
    if (type !== 'error' && type !== 'heartbeat') {
      const before = this.#texts.get(message_id);
      this.#rule('fresh', before === undefined || before === text ? undefined : 'its message_id was used before', text);
    } else if (type === 'error' && !sentIds.has(message_id)) {
      this.#rule('fresh', this.#texts.has(message_id) ? 'its message_id was used before' : undefined, text);
    }
    if (UUID.test(message_id)) this.#texts.set(message_id, text);
    if (type === 'tool_result') this.#result(message, text);
    if (type === 'event') this.#event(message, text);
  }

  wrong(rule: StandingRule, how: string): void {
    if (!this.faults.has(rule)) this.faults.set(rule, how);
  }

  #result({ call_id, meta = {}, session_id }: Message, text: string): void {
    const key = `${session_id} ${call_id}`;
    const left = (this.#sent.get(key) ?? 0) - 1;
    this.#sent.set(key, left);
    this.#rule('once', left >= 0 ? undefined : 'it is one result too many', text);
    const isWhole = isCount(meta.tick) && isCount(meta.latency_ms) && meta.source === 'bridge' && isCount(meta.seq);
    this.#rule('meta', isWhole ? undefined : `its meta is ${show(meta)}`, text);
    if (isCount(meta.seq)) this.#ended.set(key, meta.seq);
    this.#seq(session_id, meta.seq, text);
  }

  #event({ meta = {}, payload = {}, session_id, topic = '' }: Message, text: string): void {
    const missing = Object.entries(PAYLOADS[topic] ?? {}).find(([name, kind]) => typeof payload[name] !== kind)?.[0];
    const isWhole = isCount(meta.tick) && isCount(meta.seq);
    const problem = isWhole ? missing && `its payload has no fitting ${missing}` : `its meta is ${show(meta)}`;
    this.#rule('event', problem, text);
    if (payload.kind === 'progress') {
      const ended = this.#ended.get(`${session_id} ${payload.call_id}`) ?? Number.POSITIVE_INFINITY;
      this.#rule('progress', Number(meta.seq) > ended ? 'its call has ended' : undefined, text);
    }
    this.#seq(session_id, meta.seq, text);
  }

  #seq(sessionId: string, seq: unknown, text: string): void {
    if (!isCount(seq)) return;
    const known = this.#seqs.get(sessionId) ?? new Map<number, string>();
    this.#seqs.set(sessionId, known);
    const before = known.get(seq);
    const problem =
      before === undefined
        ? [...known.keys()].some((other) => other > seq) && 'a higher one came before'
        : before !== text && 'another message had it';
    this.#rule('seq', problem ? `seq ${seq}: ${problem}` : undefined, text);
    known.set(seq, text);
  }

  #rule(rule: StandingRule, problem: string | undefined, text: string): void {
    this.seen.set(rule, (this.seen.get(rule) ?? 0) + 1);
    if (problem !== undefined) this.wrong(rule, `${problem}, in ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`);
  }
}
