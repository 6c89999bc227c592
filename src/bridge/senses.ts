import { AiccError } from '../protocol/index.ts';
import { CallContext, type ContextHost } from './call-context.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Mistakes } from './mistakes.ts';
import { checkedOutput, ignoreRejection } from './outcome.ts';
import type { Rights } from './rights.ts';
import { SnapshotRoom, View } from './snapshot-text.ts';
import type { Caller, HostContext, ToolContext } from './tool-context.ts';

/** Whose eyes the snapshot's sensors see with: they run once a tick for all sessions. */
const SNAPSHOT_CALLER: Caller = { principal: 'snapshot', capabilities: [] };
/** Where a sensor's output stands in the deepest message with a snapshot: `payload.snapshot.sensors.ID`, and with a squad `….units.UNIT.sensors.ID`. */
const SENSED_DEPTH = 5;
const SQUAD_SENSED_DEPTH = 7;

/** What this needs of a character. */
interface Sensing extends ContextHost {
  readonly isSquad: boolean;
  units(): readonly string[] | undefined;
  absence(unit?: string): AiccError | undefined;
  extend(context: HostContext): ToolContext;
}

/** What this needs of a session. */
interface Watcher {
  readonly rights: Rights;
  lostControl(): AiccError | undefined;
  notNow(tool: CompiledTool, unit: string | undefined): AiccError | undefined;
}

/** What can be known of a character without a call: which tools are available and what its snapshot sensors see. */
export class Senses {
  readonly #character: Sensing;
  readonly #mistakes: Mistakes;
  #sensed: { tick: number; outputs: Map<string, string | undefined> } = { tick: -1, outputs: new Map() };
  /** Why tools are not available, as far as that does not depend on who asks; undefined: nothing is shared now. */
  #shared: Map<string, AiccError | undefined> | undefined;

  constructor(character: Sensing, mistakes: Mistakes) {
    this.#character = character;
    this.#mistakes = mistakes;
  }

  /** Its body or tools are others now: what was sensed in this tick is of no use any more. */
  forget(): void {
    this.#sensed = { tick: -1, outputs: new Map() };
    this.#shared?.clear();
  }

  /** While `work` runs the world stands still: what is available is asked once for all sessions, unless it looks at who asks. */
  sharing(work: () => void): void {
    this.#shared = new Map();
    try {
      work();
    } finally {
      this.#shared = undefined;
    }
  }

  /** What the tool's own `available` says (AICC D5). One that throws counts as a no. */
  notNow(tool: CompiledTool, caller: Caller, unit: string | undefined): AiccError | undefined {
    const { available } = tool.definition;
    if (available === undefined || (this.#character.isSquad && unit === undefined)) return undefined;
    const key = keyOf(tool, unit);
    if (this.#shared?.has(key)) return this.#shared.get(key);
    const { answer: why, askedWho } = this.#look(tool, 'available of the tool', caller, unit, available);
    const refusal = why === true ? undefined : this.#notAvailable(tool, why);
    if (!askedWho) this.#shared?.set(key, refusal);
    return refusal;
  }

  /** E4: what the session's snapshot sensors see, and which of its tools are not available now. JSON text. */
  snapshotText(session: Watcher): string {
    const units = this.#character.units();
    const room = new SnapshotRoom();
    if (units === undefined) return this.#view(session, undefined, room) ?? '{}';
    const views: string[] = [];
    let left = 0;
    for (const unit of this.#character.absence() ? [] : units) {
      const name = JSON.stringify(unit);
      const view = left > 0 ? undefined : this.#view(session, unit, room, `${name}:,`);
      if (view === undefined) left++;
      else views.push(`${name}:${view}`);
    }
    return `{"units":{${views}}${left > 0 ? `,"omitted_units":${left}` : ''}}`;
  }

  #view(session: Watcher, unit: string | undefined, room: SnapshotRoom, name?: string): string | undefined {
    const view = View.begin(room, name);
    if (view === undefined) return undefined;
    const absent = this.#character.absence(unit) ?? session.lostControl();
    for (const tool of session.rights.visibleTools()) {
      if (tool.builtIn) continue;
      const { id } = tool.entry;
      const why = absent ?? session.notNow(tool, unit);
      if (why) view.unavailable(id, why.message);
      else if (tool.definition.snapshot)
        view.sensed(id, session.rights.awaitsApproval(tool, unit) ? undefined : session.rights.seen(tool, this.#sense(tool, unit)));
    }
    return view.text;
  }

  /** Runs the sensor at most once a tick, for the snapshots of results too (AICC B1, E4). JSON text, or undefined when it has nothing to show at once. */
  #sense(tool: CompiledTool, unit: string | undefined): string | undefined {
    const { tick } = this.#character;
    if (this.#sensed.tick !== tick) this.#sensed = { tick, outputs: new Map() };
    const { outputs } = this.#sensed;
    const key = keyOf(tool, unit);
    if (outputs.has(key)) return outputs.get(key);
    const { answer, threw } = this.#look(tool, 'the tool', SNAPSHOT_CALLER, unit, (context) => tool.definition.run({}, context));
    const outcome = threw ? undefined : checkedOutput(tool, answer, unit === undefined ? SENSED_DEPTH : SQUAD_SENSED_DEPTH);
    if (outcome?.ok === false) this.#wrong(tool, outcome.error.message, answer);
    const text = outcome?.ok ? JSON.stringify(outcome.output) : undefined;
    outputs.set(key, text);
    return text;
  }

  #notAvailable(tool: CompiledTool, why: unknown): AiccError {
    const { id } = tool.entry;
    if (typeof why === 'string' && why !== '') return new AiccError('tool_unavailable', why, true, 'unavailable');
    const sentence = `'${id}' cannot tell whether it is available`;
    // One that threw has been told of already.
    if (why !== null) this.#wrong(tool, `${sentence}: it must answer true or say why not`, why);
    return new AiccError('tool_unavailable', sentence, true, 'unavailable');
  }

  /** A snapshot waits for nobody. */
  #wrong(tool: CompiledTool, problem: string, answer: unknown): void {
    ignoreRejection(answer);
    this.#mistakes.tell(tool, `character '${this.#character.characterId}'`, problem);
  }

  /** Lets a game's code look at the world outside any call. `null` when it throws. */
  #look<T>(tool: CompiledTool, what: string, caller: Caller, unit: string | undefined, ask: (context: ToolContext) => T) {
    const context = new CallContext(this.#character, caller, () => undefined, unit);
    try {
      const answer = ask(this.#character.extend(context));
      return { answer, threw: false, askedWho: context.askedWho };
    } catch (thrown) {
      this.#mistakes.tell(tool, `${what} '${tool.entry.id}' of '${this.#character.characterId}' threw`, thrown);
      return { answer: null, threw: true, askedWho: true };
    } finally {
      context.end();
    }
  }
}

function keyOf(tool: CompiledTool, unit: string | undefined): string {
  return unit === undefined ? tool.entry.id : `${tool.entry.id} ${unit}`;
}
