import {
  type AgentMessage,
  AiccError,
  CLOSE_CODES,
  errorMessage,
  type JsonObject,
  LIMITS,
  type Manifest,
  type ModelClass,
  type ModelDeclaration,
  PROTOCOL,
  TOPICS,
  type Topic,
} from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import { SlidingWindow } from '../protocol/sliding-window.ts';
import type { AgentHandler, AgentPort, OpenRequest } from './agent-port.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Call, Outcome } from './call.ts';
import { staleness } from './call-checks.ts';
import { CallLog } from './call-log.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { CompiledTool } from './catalogue.ts';
import type { CharacterSlot } from './character.ts';
import { eventText, payloadText, resultText } from './message-text.ts';
import { Outbox } from './outbox.ts';
import { receiveCall, receiveRefusedCall } from './receive-call.ts';
import { Rights } from './rights.ts';
import { Timers } from './timers.ts';
import type { Caller } from './tool-context.ts';

/** B2: what an agent counts as that does not say. */
const DEFAULT_MODEL: ModelDeclaration = { class: 'cloud_medium' };

/** E5: how long a model of a class takes for a decision, when it does not say. Milliseconds of wall time. */
const DECISION_MS: Readonly<Record<ModelClass, number>> = { edge_small: 250, edge_medium: 500, cloud_medium: 1_500, cloud_large: 4_000 };

/** More than a slow agent leaves unanswered. */
const REMEMBERED_HEARTBEATS = 16;

/** One agent driving one character. It outlives its connection (AICC C4) and its character's body (C8). */
export class Session {
  readonly bridge: BridgeCore;
  readonly character: CharacterSlot;
  /** What kind of mind an in-page driver is; such a session yields to others (AICC B6). */
  readonly yielding: string | undefined;
  readonly id: string;
  readonly caller: Caller;
  readonly model: ModelDeclaration;
  readonly rights: Rights;
  readonly calls = new CallLog();
  readonly outbox = new Outbox();
  /** Wall time at which the connection was lost; undefined while attached. */
  detachedAt: number | undefined;
  /** Why it is over; undefined while it is not. */
  endReason: AiccError | undefined;

  readonly #topics: readonly Topic[];
  readonly #observe: boolean;
  readonly #manifestRate = new SlidingWindow(1_000);
  readonly #heartbeatRate = new SlidingWindow(LIMITS.heartbeatAnswerMs);
  readonly #counts = new Map<string, number>();
  readonly #timers: Timers<'heartbeat' | 'manifest' | 'detached' | 'deadline'>;
  #port: AgentPort | undefined;
  #heardFrom = false;
  /** The ids of the newest ones sent: what comes back with one of them is an answer (AICC C3). */
  #heartbeats: string[] = [];
  #sentCatalogue = '';
  #manifestSentAt = Number.NEGATIVE_INFINITY;
  #nextTickAt = Number.NEGATIVE_INFINITY;
  #suspended = false;

  constructor(bridge: BridgeCore, character: CharacterSlot, request: OpenRequest, yielding: string | undefined) {
    this.bridge = bridge;
    this.character = character;
    this.yielding = yielding;

    this.id = bridge.newId();
    this.model = request.agent_model ?? DEFAULT_MODEL;
    this.#timers = new Timers(bridge.clock);
    this.#observe = request.observe ?? false;
    const asked = request.event_subscriptions ?? TOPICS.filter((topic) => topic !== 'tick');
    this.#topics = TOPICS.filter((topic) => asked.includes(topic));
    const policy = yielding === undefined ? bridge.policyFor(request) : undefined;
    const rights = new Rights(character, policy, request.capabilities ?? bridge.defaultCapabilities);
    this.rights = rights;
    this.caller = {
      principal: request.principal,
      get capabilities() {
        return rights.held;
      },
    };
    const deadline = rights.policy?.deadline;
    if (deadline) this.#timers.start('deadline', deadline.inMs, () => this.close(deadline.reason));
  }

  get ended(): boolean {
    return this.endReason !== undefined;
  }

  get attached(): boolean {
    return this.#port !== undefined;
  }

  /** Takes a connection: `session_init` first, then what a resume must repeat, then what waited (AICC B2, C5). */
  attach(port: AgentPort, resume?: { lastSeq: number | undefined }): AgentHandler {
    const replaced = this.#port;
    this.#timers.stop('detached');
    this.#port = port;
    this.detachedAt = undefined;
    replaced?.close(CLOSE_CODES.replaced, 'the session was resumed on another connection');
    this.#sendInit();
    this.outbox.attach((text) => this.#port?.send(text), resume);
    if (resume === undefined) for (const open of this.character.decisions.all()) this.sendDecision(open.payload);
    this.#beat();
    this.#nextTickAt = Number.NEGATIVE_INFINITY;
    if (this.wantsTick()) this.character.sendTick(this);
    const current = () => this.#port === port && !this.ended;
    return {
      sessionId: this.id,
      character: this.character.characterId,
      message: (text) => {
        if (current()) this.#receive(text);
      },
      refusedCall: (call) => {
        if (!current()) return;
        this.#heardFrom = true;
        receiveRefusedCall(this, call);
      },
      hold: (held) => {
        if (current()) this.outbox.hold(held);
      },
      closed: (clean) => {
        if (current()) this.#connectionLost(clean);
      },
    };
  }

  /** Ends the session: running calls are aborted and answered, then `session_close`, then the connection (AICC C7). */
  close(reason: string): void {
    if (this.ended) return;
    const port = this.#port;
    this.#end(new AiccError('execution_failed', `the session was closed: ${reason}`));
    port?.send(JSON.stringify({ ...this.#envelope('session_close'), reason }));
    port?.close(CLOSE_CODES.normal, reason);
  }

  sendError(error: AiccError, messageId?: string): void {
    this.#port?.send(errorMessage({ sessionId: this.id, messageId: messageId ?? this.bridge.newId(), error }));
  }

  /** The one result of a call (AICC D14, D15). */
  sendResult(callId: string, toolId: string, whole: Outcome, receivedAt: number): void {
    const { bridge, character } = this;
    const outcome = this.rights.redacted(toolId, whole);
    const meta: JsonObject = {
      tick: bridge.tick,
      latency_ms: Math.max(0, Math.round(bridge.clock.wallNow() - receivedAt)),
      source: 'bridge',
    };
    if (!outcome.ok) Object.assign(meta, outcome.meta);
    const snapshot = this.#observe && !this.ended ? character.senses.snapshotText(this) : undefined;
    const result = this.outbox.result((seq) => resultText(this.id, bridge.newId(), callId, toolId, outcome, { ...meta, seq }, snapshot));
    this.calls.close(callId, result);
  }

  /** An event for this session, if it is subscribed or `always` (AICC F1). `payload` is JSON text. */
  sendEvent(topic: Topic, payload: string, options: { always?: boolean; key?: string } = {}): void {
    if (this.ended || !(options.always || this.#topics.includes(topic))) return;
    const { bridge } = this;
    const { tick } = bridge;
    const make = (seq: number, dropped: number) =>
      eventText(this.id, bridge.newId(), topic, payload, dropped > 0 ? { tick, seq, dropped } : { tick, seq });
    const keep = topic !== 'tick';
    this.outbox.event(make, options.key === undefined ? { keep } : { keep, key: options.key });
  }

  /** D11: the newest progress of one call. */
  progress({ callId, tool }: Call, payload: JsonObject, dataClass: string | undefined): void {
    if (!this.rights.mayTellProgress(tool, dataClass)) return;
    const text = payloadText({ ...payload, kind: 'progress', call_id: callId }, 'progress');
    this.sendEvent('state_change', text, { always: true, key: `progress ${callId}` });
  }

  /** D18 */
  sendDecision(payload: string): void {
    this.sendEvent('state_change', payload, { always: true });
  }

  /** T13: a condition of the game holds. */
  conditionHolds(condition: string): void {
    const reason = this.rights.policy?.endedBy(condition);
    if (reason !== undefined) this.close(reason);
  }

  /** The next tick is due: subscribed, attached and, in fixed and hybrid mode, as fast as its model can answer (AICC E5). */
  wantsTick(): boolean {
    return (
      this.attached &&
      this.#topics.includes('tick') &&
      (this.bridge.tickMode === 'event' || this.bridge.clock.wallNow() >= this.#nextTickAt)
    );
  }

  sendTick(payload: string): void {
    this.#nextTickAt = this.bridge.clock.wallNow() + (this.model.expected_full_response_ms ?? DECISION_MS[this.model.class]);
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

  /** All that may have changed while a call waited. */
  obstacle(call: Call): AiccError | undefined {
    return this.unavailable(call.tool, call.unit) ?? staleness(this, call.tool, call.observedTick);
  }

  callCount(toolId: string): number {
    return this.#counts.get(toolId) ?? 0;
  }

  countCall(toolId: string): void {
    this.#counts.set(toolId, this.callCount(toolId) + 1);
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
      ? new AiccError('tool_unavailable', 'somebody else drives the character now; wait for control_gained')
      : undefined;
  }

  get isSuspended(): boolean {
    return this.#suspended;
  }

  /** C3: tells about a changed catalogue, at most once a second and only when it differs from what was sent last. */
  catalogueChanged(): void {
    if (this.ended || this.#timers.has('manifest')) return;
    const wait = this.#manifestSentAt + LIMITS.manifestUpdateMs - this.bridge.clock.wallNow();
    this.#timers.start('manifest', Math.max(0, wait), () => this.sendManifestUpdate());
  }

  /** C3: the catalogue as it is now, if the agent knows another. */
  sendManifestUpdate(): void {
    this.#timers.stop('manifest');
    const manifest = this.#manifest();
    if (this.#port === undefined || JSON.stringify(manifest) === this.#sentCatalogue) return;
    this.#noteSent(manifest);
    this.#sendHeartbeat({ manifest_update: { protocol: PROTOCOL, type: 'session_init', ...manifest } });
  }

  #receive(text: string): void {
    const message = parse(text);
    if (message === undefined) return this.sendError(new AiccError('invalid_input', 'a message must be one JSON object'));
    if (message.session_id !== this.id) {
      return this.sendError(
        new AiccError('session_expired', `session ${message.session_id} is not open on this connection`),
        message.message_id,
      );
    }
    this.#heardFrom = true;
    switch (message.type) {
      case 'tool_call':
        return receiveCall(this, message);
      case 'heartbeat':
        return this.#answerHeartbeat(message.message_id);
      case 'manifest_request':
        if (this.#manifestRate.take(LIMITS.manifestRequestsPerSecond, this.bridge.clock.wallNow()) === 0) return this.#sendInit();
        return this.sendError(
          new AiccError('tool_unavailable', `at most ${LIMITS.manifestRequestsPerSecond} manifest requests a second are answered`),
          message.message_id,
        );
      case 'session_resume':
        this.#sendInit();
        return this.outbox.repeat(undefined);
      case 'session_close':
        return this.close(message.reason ?? 'the agent closed it');
    }
  }

  /** C4 */
  #connectionLost(clean: boolean): void {
    this.#port = undefined;
    this.#timers.stop('heartbeat');
    if (clean || !this.#heardFrom || this.yielding !== undefined) {
      return this.#end(new AiccError('execution_failed', 'the session ended with its connection'));
    }
    this.detachedAt = this.bridge.clock.wallNow();
    this.outbox.detach();
    this.#timers.start('detached', LIMITS.detachedMs, () => this.#end(new AiccError('execution_failed', 'the agent did not come back')));
    this.character.driversChanged();
  }

  #end(reason: AiccError): void {
    if (this.ended) return;
    // First, for a handler that hears of its abort may close the session again, and no waiting call may start now.
    this.endReason = reason;
    for (const call of this.calls.pendingCalls()) call.fail(reason);
    this.#port = undefined;
    this.#timers.stopAll();
    this.bridge.forget(this);
  }

  #manifest(): Manifest {
    const { bridge } = this;
    const visible = this.rights.visibleTools();
    return {
      tick_rate_hz: bridge.tickRateHz,
      tick_mode: bridge.tickMode,
      world: bridge.world,
      agent_model: this.model,
      capabilities: capabilitiesOf(visible.map((tool) => tool.definition)),
      tools: visible.map((tool) => this.rights.listed(tool)),
      event_subscriptions: [...this.#topics],
    };
  }

  #sendInit(): void {
    const manifest = this.#manifest();
    this.#noteSent(manifest);
    this.#port?.send(JSON.stringify({ ...this.#envelope('session_init'), ...manifest }));
  }

  #noteSent(manifest: Manifest): void {
    this.#sentCatalogue = JSON.stringify(manifest);
    this.#manifestSentAt = this.bridge.clock.wallNow();
  }

  #answerHeartbeat(messageId: string): void {
    if (this.#heartbeats.includes(messageId) || this.#heartbeatRate.take(1, this.bridge.clock.wallNow()) > 0) return;
    this.#port?.send(JSON.stringify({ ...this.#envelope('heartbeat'), message_id: messageId }));
  }

  /** C3: every 10 s of wall time while there is a connection. */
  #beat(): void {
    this.#timers.start('heartbeat', LIMITS.heartbeatMs, () => {
      this.#sendHeartbeat({});
      this.#beat();
    });
  }

  #sendHeartbeat(more: object): void {
    const envelope = this.#envelope('heartbeat');
    this.#heartbeats = [...this.#heartbeats.slice(1 - REMEMBERED_HEARTBEATS), envelope.message_id];
    this.#port?.send(JSON.stringify({ ...envelope, ...more }));
  }

  #envelope(type: string): { protocol: string; type: string; session_id: string; message_id: string } {
    return { protocol: PROTOCOL, type, session_id: this.id, message_id: this.bridge.newId() };
  }
}

/** The door has checked the message; this only guards against a relay of another mind. */
function parse(text: string): AgentMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as unknown as AgentMessage) : undefined;
  } catch {
    return undefined;
  }
}
