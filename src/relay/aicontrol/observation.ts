import type { JsonObject } from '../../base/json.ts';
import type { CatalogueTool, ToolClass } from '../../protocol/index.ts';

/** What an observation is made of (AiControl W9, W19). */
export interface Seen {
  ready: boolean;
  /** The world stands still: nothing is available, whatever the snapshot from before says (AICC E6). */
  paused: boolean;
  world: string;
  character: string;
  tick: number;
  tools: readonly CatalogueTool[];
  /** AICC E4 */
  snapshot: JsonObject;
}

/** Commands are these; sensors are seen in the observation. */
const COMMANDS: readonly ToolClass[] = ['actuator', 'generator'];
/** Ends a call by its id, which no AiControl client is told: here a new command ends the running one. */
const NOT_OFFERED = 'cancel_call';

/** The tools that a command may name. */
export function commandsOf(tools: readonly CatalogueTool[]): CatalogueTool[] {
  return tools.filter((tool) => COMMANDS.includes(tool.class));
}

/** W19. Members that only some worlds have: `units` (a squad's sensors, by unit) and `omitted` (sensors too large to show). */
export function observationOf({ ready, paused, world, character, tick, tools, snapshot }: Seen): JsonObject {
  const { available = {}, sensors = {}, units, omitted } = snapshot;
  const actions = commandsOf(paused ? [] : tools).filter(({ id }) => id !== NOT_OFFERED && !Object.hasOwn(available as JsonObject, id));
  return {
    schemaVersion: 1,
    ready,
    world,
    character,
    tick,
    availableActions: actions.map(({ id, description, input_schema }) => ({ type: id, description, input: input_schema })),
    sensors,
    ...(units !== undefined && { units }),
    ...(omitted !== undefined && { omitted }),
  };
}

/** The observation that is shown now, as JSON text, and how often it has been replaced by a different one (AiControl W9). */
export class PublishedObservation {
  #text: string;
  #seq = 0;

  constructor(first: JsonObject) {
    this.#text = JSON.stringify(first);
  }

  get text(): string {
    return this.#text;
  }

  get seq(): number {
    return this.#seq;
  }

  publish(next: JsonObject): void {
    const text = JSON.stringify(next);
    if (text === this.#text) return;
    this.#text = text;
    this.#seq++;
  }
}
