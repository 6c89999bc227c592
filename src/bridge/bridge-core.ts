import type { Clock } from '../base/clock.ts';
import type { TickMode, WorldKind } from '../protocol/index.ts';
import type { Call } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Mistakes } from './mistakes.ts';
import type { Approve } from './policy.ts';

/** What the parts of the bridge need of the whole. */
export interface BridgeCore {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  readonly world: { name: string; kind: WorldKind };
  readonly tickMode: TickMode;
  readonly tickRateHz: number;
  /** Ticks since the world began. */
  readonly tick: number;
  /** World milliseconds since the world began. */
  readonly now: number;
  readonly approve: Approve | undefined;
  readonly defaultCapabilities: readonly string[] | undefined;
  /** Starts a checked call when the tick mode lets it (AICC E1, E3). */
  admit(call: Call): void;
  /** Whether world time goes on for calls of the tool; in event mode it stands still for some (AICC E2). */
  moves(tool: CompiledTool): boolean;
  /** Tells the game's developer of mistakes in the game's code. */
  readonly mistakes: Mistakes;
  /** Sessions or bodies of the character came, went or changed hands. */
  driversChanged(characterId: string): void;
  /** Work outside world time has begun (1) or ended (-1): event mode waits for it (AICC E2). */
  external(pending: 1 | -1): void;
  /** Something that `characters()` shows of the character has changed. */
  changed(characterId: string): void;
}
