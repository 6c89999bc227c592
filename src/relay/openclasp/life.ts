import type { Clock } from '../../base/clock.ts';
import { quoted, sha256 } from '../../contract/node.ts';
import type { AuditLog } from './audit-log.ts';
import type { Interaction, Interactions } from './interactions.ts';
import type { SessionListener } from './offered-sessions.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';
import { Reporter } from './reporter.ts';

export interface LifeOptions {
  interactions: Interactions;
  audit: AuditLog;
  clock: Clock;
  now(): number;
  newId(): string;
  random(): number;
  log(sentence: string): void;
}

/** How the reason of an interaction's end begins: never with an agent's words. */
const COMPLETED = /^completed:/;
/** What every message has that may end a session, however it spells that; only such ones are looked at. */
const CLOSING = /session_close|\\u/;

/** What becomes of interactions: they begin, go on and end, and the platform hears of it (T12, T13, T16). */
export class InteractionLife implements SessionListener {
  readonly #options: LifeOptions;
  readonly #reporters = new Map<string, Reporter>();
  readonly #timers = new Map<string, () => void>();
  /** The tools of calls that have no result yet, by interaction and call id. */
  readonly #calls = new Map<string, Map<string, string>>();
  /** Where reports go on after a restart. */
  readonly #firstSequence = new Map<string, number>();
  #ended: (interactionId: string, reason: string) => void = () => {};

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  /** Begins with what a restart left. `ended` closes what is still open of an interaction. */
  begin(ended: (interactionId: string, reason: string) => void): void {
    this.#ended = ended;
    for (const interaction of this.#options.interactions.all()) {
      if (interaction.sequence !== undefined) this.#firstSequence.set(interaction.interactionId, interaction.sequence);
      this.watchEnd(interaction);
    }
  }

  /** Ends the interaction when its time is over. */
  watchEnd(interaction: Interaction): void {
    const { clock, now } = this.#options;
    const { declined, ended, endsAt, interactionId } = interaction;
    if (ended !== undefined || declined !== undefined || this.#timers.has(interactionId)) return;
    const due = () => {
      this.#timers.delete(interactionId);
      if (now() >= endsAt + OPENCLASP_LIMITS.endGraceMs) this.over(interaction, 'expired: its time is over');
      else this.watchEnd(interaction);
    };
    this.#timers.set(interactionId, clock.schedule(due, Math.max(0, endsAt + OPENCLASP_LIMITS.endGraceMs - now())));
  }

  /** The interaction is over, for a reason that begins with `completed`, `cancelled`, `expired` or `revoked`. */
  over(interaction: Interaction, reason: string): void {
    const { audit, interactions, log } = this.#options;
    const { agentId, contractHash, counterparty, interactionId, offerId } = interaction;
    if (interaction.ended !== undefined) return;
    this.#timers.get(interactionId)?.();
    this.#timers.delete(interactionId);
    const reporter = this.#reporter(interaction);
    const type = COMPLETED.test(reason) ? 'session_completed' : 'session_failed';
    reporter?.report({ type, outcome: reason.split(':', 1)[0] as string });
    reporter?.finish(() => this.#reporters.delete(interactionId));
    this.#calls.delete(interactionId);
    this.#firstSequence.delete(interactionId);
    audit.write({ what: 'end', decision: 'ALLOW', reason, offerId, interactionId, agentId, counterparty, contractHash });
    interactions.end(interaction, reason).catch((error: Error) => log(`The retained offers cannot be written: ${error.message}`));
    this.#ended(interactionId, reason);
  }

  started(interactionId: string): void {
    const interaction = this.#options.interactions.find(interactionId);
    if (interaction === undefined) return;
    this.watchEnd(interaction);
    if (interaction.started) return;
    interaction.started = true;
    this.#keep(interaction);
    this.#reporter(interaction)?.report({ type: 'session_started' });
  }

  presented(interactionId: string, sessionId: string, presenters: readonly string[]): void {
    const interaction = this.#options.interactions.live(interactionId);
    if (interaction === undefined) return;
    const others = Object.entries(interaction.presenters ?? {}).filter(([id]) => id !== sessionId);
    if (presenters.length > 0) others.push([sessionId, [...presenters]]);
    interaction.presenters = Object.fromEntries(others.slice(-OPENCLASP_LIMITS.rememberedSessions));
    this.#keep(interaction);
  }

  message(interactionId: string, from: 'agent' | 'game', text: string): void {
    const interaction = this.#options.interactions.find(interactionId);
    if (interaction !== undefined && from === 'agent' && CLOSING.test(text)) this.#agentLeaves(interaction, text);
    // What crosses the end on its way is no part of the interaction any more.
    const reporter = interaction?.ended === undefined && interaction ? this.#reporter(interaction) : undefined;
    if (reporter === undefined) return;
    // What both ends have checked already, or made; only sessions that are reported on pay for it.
    const { call_id, error, meta, ok, tool, type } = JSON.parse(text) as {
      type?: string;
      call_id?: string;
      tool?: string;
      ok?: boolean;
      error?: { code?: string };
      meta?: { latency_ms?: number };
    };
    const calls = this.#calls.get(interactionId) ?? new Map<string, string>();
    this.#calls.set(interactionId, calls);
    const messageHash = sha256(text);
    if (from === 'agent' && type === 'tool_call') {
      if (calls.size < OPENCLASP_LIMITS.reports) calls.set(String(call_id), String(tool));
      reporter.report({ type: 'message_sent', messageHash, labels: { kind: 'tool_call', tool: String(tool) } });
    } else if (from === 'game' && type === 'tool_result') {
      const called = calls.get(String(call_id));
      calls.delete(String(call_id));
      reporter.report({
        type: 'task_result',
        messageHash,
        outcome: ok === true ? 'succeeded' : 'failed',
        labels: { ...(called !== undefined && { tool: called }), ...(error?.code !== undefined && { code: error.code }) },
        metrics: meta?.latency_ms === undefined ? {} : { latency_ms: meta.latency_ms },
      });
    }
  }

  /** What the agent says of its leaving is its own word, and ends no contract (T13). With `retentionDays` 0 it is not kept (T14). */
  #agentLeaves({ agentId, contractHash, counterparty, interactionId, offer, offerId }: Interaction, text: string): void {
    const { reason, type } = JSON.parse(text) as { reason?: string; type?: string };
    if (type !== 'session_close') return;
    const words = reason === undefined || offer?.contract.retentionDays === 0 ? '' : `: ${quoted(reason)}`;
    const ids = { offerId, interactionId, agentId, counterparty, contractHash };
    this.#options.audit.write({ what: 'session', by: 'agent', decision: 'ALLOW', reason: `the agent closed it${words}`, ...ids });
  }

  close(): void {
    for (const stop of this.#timers.values()) stop();
    for (const reporter of this.#reporters.values()) reporter.close();
    this.#timers.clear();
  }

  #reporter(interaction: Interaction): Reporter | undefined {
    const { agentId, interactionId } = interaction;
    const known = this.#reporters.get(interactionId);
    const reporting = interaction.activation?.reporting;
    if (known !== undefined || reporting === undefined) return known;
    const { clock, log, newId, now, random } = this.#options;
    let next = this.#firstSequence.get(interactionId) ?? 1;
    const reporter = new Reporter({
      interactionId,
      agentId,
      endpoint: reporting.endpoint,
      bearerToken: reporting.bearerToken,
      nextSequence: () => {
        // Set aside before they are needed: what was sent and not written down would be sent again after a crash.
        if (next + OPENCLASP_LIMITS.sequenceBlock / 2 >= (interaction.sequence ?? 0)) {
          interaction.sequence = next + OPENCLASP_LIMITS.sequenceBlock;
          this.#keep(interaction);
        }
        return next++;
      },
      newId,
      now,
      schedule: (run, ms) => clock.schedule(run, ms),
      random,
      lost: (reason) => log(`A report of interaction ${interactionId} is lost: ${reason}.`),
    });
    this.#reporters.set(interactionId, reporter);
    return reporter;
  }

  #keep(interaction: Interaction): void {
    const { interactions, log } = this.#options;
    interactions.keep(interaction).catch((error: Error) => log(`The retained offers cannot be written: ${error.message}`));
  }
}
