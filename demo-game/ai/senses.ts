import type { Session } from 'phaser-aicc';
import { distance, type Point } from '../rules/point.ts';

interface Seen {
  readonly id: string;
  readonly kind: string;
  readonly position: Point;
  readonly state?: { readonly carrying?: string; readonly lit?: boolean };
}

/** What the session's newest snapshot says: the outputs of the sensors `vision`, `body`, `inventory`, `village` and `player`. */
export interface Senses {
  readonly at: Point;
  readonly seen: readonly Seen[];
  readonly carrying: string;
  readonly lanterns: readonly { readonly id: string; readonly position: Point; readonly lit: boolean }[];
  readonly oilSpots: readonly Point[];
  readonly over: boolean;
  readonly notes: readonly string[];
  readonly dawnInMs: number;
}

interface Sensors {
  vision: { entities: Seen[] };
  body: { position: Point };
  inventory: { carrying: string };
  player: { notes: string[] };
  village: { lanterns: { id: string; position: Point; lit: boolean }[]; oil_spots: Point[]; ending: string; dawn_in_ms: number };
}

/** undefined before the first snapshot, or when it had to leave something out. */
export function sense(session: Session): Senses | undefined {
  const { vision, body, inventory, player, village } = (session.snapshot?.sensors ?? {}) as Partial<Sensors>;
  if (vision === undefined || body === undefined || inventory === undefined || village === undefined) return undefined;
  return {
    at: body.position,
    seen: vision.entities,
    carrying: inventory.carrying,
    lanterns: village.lanterns,
    oilSpots: village.oil_spots,
    over: village.ending !== 'running',
    notes: player?.notes ?? [],
    dawnInMs: village.dawn_in_ms,
  };
}

export function nearest<T>(among: readonly T[], at: Point, place: (one: T) => Point): T | undefined {
  return among.reduce<T | undefined>(
    (best, one) => (best === undefined || distance(place(one), at) < distance(place(best), at) ? one : best),
    undefined,
  );
}
