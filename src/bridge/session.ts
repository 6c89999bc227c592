import type { JsonObject } from '../base/json.ts';
import { SlidingWindow } from '../base/sliding-window.ts';
import { bounded } from '../protocol/errors.ts';
import { AiccError, CLOSE_CODES, errorMessage, LIMITS, type ModelDeclaration, PROTOCOL, TOPICS, type Topic } from '../protocol/index.ts';
import type { AgentPort, OpenRequest } from './agent-port.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Call } from './call.ts';
import { CallCounts } from './call-counts.ts';
import { CallLog } from './call-log.ts';
import type { CompiledTool } from './catalogue.ts';
import { CatalogueNews, manifestOf } from './catalogue-news.ts';
import type { BridgeCharacter } from './character.ts';
import type { Engagement } from './engagement.ts';
import { Heartbeats } from './heartbeats.ts';
import { eventText, NOT_KEPT, payloadText, resultText } from './message-text.ts';
import type { OpenQuestion } from './open-question.ts';
import { Outbox } from './outbox.ts';
import type { Outcome } from './outcome.ts';
import { Rights } from './rights.ts';
import { TickPace } from './tick-pace.ts';
import { Timer } from './timer.ts';
import type { Caller } from './tool-context.ts';

/** B2: what an agent counts as that does not say. */
const DEFAULT_MODEL: ModelDeclaration = { class: 'cloud_medium' };

/** One agent driving one character. It outlives its connection (AICC C4) and its character's body (C8). */
export class Session {
  readonly bridge: BridgeCore;
  readonly character: BridgeCharacter;
  /** What kind of mind an in-page driver is; such a session yields to others (AICC B6). */
  readonly yielding: string | undefined;
  /** Whether it only watches: it drives nobody and its calls are refused (AICC B8). */
  readonly spectates: boolean;
  readonly id: string;
  readonly caller: Caller;
  readonly model: ModelDeclaration;
  readonly rights: Rights;
  /** The contract that it is under for life. */
  readonly engagement: Engagement | undefined;
  /** D7 */
  readonly counts: CallCounts;
  readonly calls = new CallLog();
  readonly outbox: Outbox;
  readonly heartbeats: Heartbeats;
  readonly news: CatalogueNews;
  /** Wall time at which the connection was lost; undefined while attached. */
  detachedAt: number | undefined;
  /** Its connection may be dead: nothing has been heard on it for long (AICC C9). */
  quiet = false;
  /** Whether the agent has ever said a word. */
  heardFrom = false;
  /** Why it is over; undefined while it is not. */
  endReason: AiccError | undefined;

  readonly #topics: readonly Topic[];
  readonly #observe: boolean;
  /** Until a lost agent is given up. */
  readonly #absence: Timer;
  readonly #pace: TickPace;
  readonly #resumes = new SlidingWindow(1_000);
  #port: AgentPort | undefined;
  #suspended = false;
  readonly #forget: (session: Session) => void;

  /** @param forget called once, when the session has ended */
  constructor(
    bridge: BridgeCore,
    character: BridgeCharacter,
    request: OpenRequest,
    forget: (session: Session) => void,
    yielding: string | undefined,
    engagement?: Engagement,
  ) {
    this.#forget = forget;
    this.bridge = bridge;
    this.character = character;
    this.yielding = yielding;
    this.spectates = request.spectate ?? false;
    this.id = bridge.newId();
    this.model = request.agent_model ?? DEFAULT_MODEL;
    this.outbox = new Outbox(bridge.clock);
    this.#pace = new TickPace(this.model);
    this.#absence = new Timer(bridge.clock);
    this.heartbeats = new Heartbeats(bridge.clock, (members) => this.#say('heartbeat', members));
    this.news = new CatalogueNews(
      bridge.clock,
      () => manifestOf(bridge, this.model, this.rights, this.#topics),
      (manifest) => this.heartbeats.send({ manifest_update: { protocol: PROTOCOL, type: 'session_init', ...manifest } }),
    );
    this.#observe = request.observe ?? false;
    const asked = request.event_subscriptions ?? TOPICS.filter((topic) => topic !== 'tick');
    this.#topics = TOPICS.filter((topic) => asked.includes(topic));
    this.engagement = engagement;
    this.counts = engagement?.counts ?? new CallCounts();
    const rights = new Rights(character, engagement?.policy, request.capabilities ?? bridge.defaultCapabilities);
    this.rights = rights;
    this.caller = {
      principal: request.principal,
      get capabilities() {
        return rights.held;
      },
    };
  }

  get ended(): boolean {
    return this.endReason !== undefined;
  }

  get attached(): boolean {
    return this.#port !== undefined;
  }

  /** Takes a connection: `session_init` first, then what a resume must repeat, then what waited (AICC B2, C5). */
  attach(port: AgentPort, resume?: { lastSeq: number | undefined }): void {
    const replaced = this.#port;
    this.#absence.stop();
    this.#port = port;
    this.detachedAt = undefined;
    this.quiet = false;
    this.character.drivers.connection(this, true);
    replaced?.close(CLOSE_CODES.replaced, 'the session was resumed on another connection');
    this.sendInit();
    this.outbox.attach((text) => this.#port?.send(text), resume);
    // E6: the pause began before the session, so nothing else would tell of it.
    if (resume === undefined && this.character.paused) this.sendEvent('state_change', '{"kind":"world_paused"}', { always: true });
    if (resume !== undefined) this.character.unheard.forget(this);
    else if (!this.spectates) {
      this.character.unheard.tell(this);
      for (const open of this.character.decisions.all()) this.sendDecision(open);
    }
    this.heartbeats.start();
    this.#pace.reset();
    if (this.wantsTick()) this.character.sendTick(this);
  }

  /** Whether the connection is the session's now: a resume on another one takes its place. */
  isOn(port: AgentPort): boolean {
    return this.#port === port && !this.ended;
  }

  /** Whether it may be taken over by one more connection now (AICC C5). */
  mayResume(): boolean {
    return this.#resumes.take(LIMITS.resumesPerSecond, this.bridge.clock.wallNow()) === 0;
  }

  /**
   * Ends the session: running calls are aborted and answered, then `session_close`, then the connection (AICC C7).
   * @param code `overForNow` where nobody meant it, so that the agent opens a new session
   */
  close(why: string, code: number = CLOSE_CODES.normal): void {
    if (this.ended) return;
    const port = this.#port;
    const reason = bounded(why);
    this.#end(new AiccError('execution_failed', `the session was closed: ${reason}`, false, 'closed'));
    this.#say('session_close', { reason }, port);
    port?.close(code, reason);
  }

  /** B2, C2: the whole manifest. */
  sendInit(): void {
    this.#say('session_init', this.news.tell());
  }

  sendError(error: AiccError, messageId?: string): void {
    this.#port?.send(errorMessage({ sessionId: this.id, messageId: messageId ?? this.bridge.newId(), error }));
  }

  /** The one result of a call (AICC D14, D15). `of`: the tool that ran, or its name where none did. */
  sendResult(callId: string, of: string | CompiledTool, whole: Outcome, receivedAt: number): void {
    const { bridge, character } = this;
    const [toolId, outcome] = typeof of === 'string' ? [of, whole] : [of.entry.id, this.rights.redacted(of, whole)];
    const meta: JsonObject = {
      tick: bridge.tick,
      latency_ms: Math.max(0, Math.round(bridge.clock.wallNow() - receivedAt)),
      source: 'bridge',
    };
    if (!outcome.ok) Object.assign(meta, { reason: outcome.error.reason }, outcome.meta);
    const snapshot = this.#observe && !this.ended ? character.senses.snapshotText(this) : undefined;
    const text = (of: Outcome, seen?: string) =>
      resultText(this.id, bridge.newId(), callId, toolId, of, meta, seen, this.outbox.greatestSeq);
    this.calls.close(
      callId,
      this.outbox.result(text(outcome, snapshot), () => text(NOT_KEPT)),
    );
  }

  /** Whether events of this topic that tell something of this class reach it. */
  hears(topic: Topic, dataClass: string | undefined): boolean {
    return !this.ended && this.#topics.includes(topic) && this.rights.mayTell(dataClass);
  }

  /** An event for this session, if it is subscribed or `always` (AICC F1). `payload` is JSON text. */
  sendEvent(topic: Topic, payload: string, { always, ...how }: { always?: boolean; key?: string; waited?: boolean } = {}): void {
    if (this.ended || !(always || this.#topics.includes(topic))) return;
    const message = eventText(this.id, this.bridge.newId(), topic, payload, this.bridge.tick);
    this.outbox.event(message, { ...how, keep: topic !== 'tick' });
  }

  /** D11: the newest progress of one call. */
  progress({ callId, tool }: Call, payload: JsonObject, dataClass: string | undefined): void {
    if (!this.rights.mayTellProgress(tool, dataClass)) return;
    const text = payloadText({ ...payload, kind: 'progress', call_id: callId }, 'progress');
    this.sendEvent('state_change', text, { always: true, key: `progress ${callId}` });
  }

  /** D18 */
  sendDecision(open: OpenQuestion): void {
    const payload = open.payloadFor(this.rights);
    if (payload !== undefined) this.sendEvent('state_change', payload, { always: true });
  }

  /** The next tick is due: subscribed, attached and, in fixed and hybrid mode, as fast as its model can answer (AICC E5). */
  wantsTick(): boolean {
    return (
      this.attached && this.#topics.includes('tick') && (this.bridge.tickMode === 'event' || this.#pace.isDue(this.bridge.clock.wallNow()))
    );
  }

  sendTick(payload: string): void {
    this.#pace.sent(this.bridge.clock.wallNow());
    this.sendEvent('tick', payload, { key: 'tick' });
  }

  /** Why a call of this tool cannot run now: D3, D4, then D5 with a missing body, a pause or a lost control first. */
  unavailable(tool: CompiledTool, unit: string | undefined): AiccError | undefined {
    return this.endReason ?? this.rights.refusal(tool) ?? this.character.absence(unit) ?? this.lostControl() ?? this.notNow(tool, unit);
  }

  /** Why the tool's own code says that it is not available now (AICC D5); under a contract a sensitive one keeps its words (T10). */
  notNow(tool: CompiledTool, unit: string | undefined): AiccError | undefined {
    const why = this.character.senses.notNow(tool, this.caller, unit);
    return why && this.rights.wordless(tool, why);
  }

  /** B6: a yielding driver steps back while somebody else drives. */
  setSuspended(suspended: boolean): void {
    if (this.#suspended === suspended || this.ended) return;
    this.#suspended = suspended;
    const lost = this.lostControl();
    if (lost) for (const call of this.calls.pendingCalls()) call.fail(lost);
    this.sendEvent('state_change', JSON.stringify({ kind: suspended ? 'control_lost' : 'control_gained' }), { always: true });
  }

  /** B6: why a suspended driver can do nothing now. */
  lostControl(): AiccError | undefined {
    return this.#suspended
      ? new AiccError('tool_unavailable', 'somebody else drives the character now; wait for control_gained', true, 'control_lost')
      : undefined;
  }

  /** Ends with its connection, or waits for the agent to come back (AICC C4). */
  connectionLost(clean: boolean): void {
    this.#port = undefined;
    this.heartbeats.stop();
    if (clean || !this.heardFrom || this.yielding !== undefined) {
      return this.#end(new AiccError('execution_failed', 'the session ended with its connection', false, 'closed'));
    }
    this.detachedAt = this.bridge.clock.wallNow();
    this.outbox.detach();
    this.character.drivers.connection(this, false);
    this.#absence.start(
      () => this.#end(new AiccError('execution_failed', 'the agent did not come back', false, 'closed')),
      LIMITS.detachedMs,
    );
    this.character.drivers.changed();
  }

  #end(reason: AiccError): void {
    if (this.ended) return;
    // First, for a handler that hears of its abort may close the session again, and no waiting call may start now.
    this.endReason = reason;
    for (const call of this.calls.pendingCalls()) call.fail(reason);
    this.outbox.close();
    this.#port = undefined;
    this.#absence.stop();
    this.heartbeats.stop();
    this.news.stop();
    this.#forget(this);
  }

  /** @returns the message's id */
  #say(type: string, members: object, port = this.#port): string {
    const message = { protocol: PROTOCOL, type, session_id: this.id, message_id: this.bridge.newId(), ...members };
    port?.send(JSON.stringify(message));
    return message.message_id;
  }
}
