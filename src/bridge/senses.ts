import { AiccError, LIMITS, utf8Bytes } from '../protocol/index.ts';
import { checkedOutput, ignoreRejection } from './call.ts';
import { CallContext } from './call-context.ts';
import type { CompiledTool } from './catalogue.ts';
import type { CharacterSlot } from './character.ts';
import type { Session } from './session.ts';
import type { Caller, ToolContext } from './tool-context.ts';

/** Whose eyes the snapshot's sensors see with: they run once a tick for all sessions. */
const SNAPSHOT_CALLER: Caller = { principal: 'snapshot', capabilities: [] };

/** What can be known of a character without a call: which tools are available and what its snapshot sensors see. */
export class Senses {
  readonly #character: CharacterSlot;
  #sensed: { tick: number; outputs: Map<string, string | undefined> } = { tick: -1, outputs: new Map() };

  constructor(character: CharacterSlot) {
    this.#character = character;
  }

  /** Its body or tools are others now: what was sensed in this tick is of no use any more. */
  forget(): void {
    this.#sensed = { tick: -1, outputs: new Map() };
  }

  /** What the tool's own `available` says (AICC D5). One that throws counts as a no. */
  notNow(tool: CompiledTool, caller: Caller, unit: string | undefined): AiccError | undefined {
    if (tool.definition.available === undefined || (this.#character.isSquad && unit === undefined)) return undefined;
    const why = this.#look(caller, unit, (context) => tool.definition.available!(context));
    if (why === true) return undefined;
    ignoreRejection(why);
    const said = typeof why === 'string' && why !== '' ? why : `'${tool.entry.id}' cannot tell whether it is available`;
    return new AiccError('tool_unavailable', said, true, 'unavailable');
  }

  /** E4: what the session's snapshot sensors see, and which of its tools are not available now. JSON text. */
  snapshotText(session: Session): string {
    const units = this.#character.units();
    const room = { bytes: LIMITS.snapshotBytes };
    if (units === undefined) return this.#view(session, undefined, room);
    const views = this.#character.absence() ? [] : units.map((unit) => `${JSON.stringify(unit)}:${this.#view(session, unit, room)}`);
    return `{"units":{${views.join(',')}}}`;
  }

  #view(session: Session, unit: string | undefined, room: { bytes: number }): string {
    const available: { [id: string]: string } = {};
    const omitted: string[] = [];
    const sensors: string[] = [];
    const absent = this.#character.absence(unit) ?? session.lostControl();
    for (const tool of session.rights.visibleTools()) {
      if (tool.builtIn) continue;
      const { id } = tool.entry;
      const why = absent ?? session.notNow(tool, unit);
      if (why) available[id] = why.message;
      else if (tool.definition.snapshot) {
        const output = session.rights.seen(tool, this.#sense(tool, unit));
        const bytes = output === undefined ? 0 : utf8Bytes(output);
        if (output === undefined || bytes > room.bytes) omitted.push(id);
        else {
          room.bytes -= bytes;
          sensors.push(`${JSON.stringify(id)}:${output}`);
        }
      }
    }
    const left = omitted.length > 0 ? `,"omitted":${JSON.stringify(omitted)}` : '';
    return `{"available":${JSON.stringify(available)},"sensors":{${sensors.join(',')}}${left}}`;
  }

  /** Runs the sensor at most once a tick, for the snapshots of results too (AICC B1, E4). JSON text, or undefined when it has nothing to show at once. */
  #sense(tool: CompiledTool, unit: string | undefined): string | undefined {
    const { tick } = this.#character;
    if (this.#sensed.tick !== tick) this.#sensed = { tick, outputs: new Map() };
    const { outputs } = this.#sensed;
    const key = unit === undefined ? tool.entry.id : `${tool.entry.id} ${unit}`;
    if (outputs.has(key)) return outputs.get(key);
    const returned = this.#look(SNAPSHOT_CALLER, unit, (context) => tool.definition.run({}, context));
    const outcome = checkedOutput(tool, returned);
    // A snapshot waits for nobody.
    if (!outcome.ok) ignoreRejection(returned);
    const text = outcome.ok ? JSON.stringify(outcome.output) : undefined;
    outputs.set(key, text);
    return text;
  }

  /** Lets a game's code look at the world outside any call. `null` when it throws. */
  #look<T>(caller: Caller, unit: string | undefined, ask: (context: ToolContext) => T): T | null {
    const context = new CallContext(this.#character, caller, () => undefined, unit);
    try {
      return ask(this.#character.extend(context));
    } catch {
      return null;
    } finally {
      context.end();
    }
  }
}
