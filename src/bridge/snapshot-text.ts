import { LIMITS, utf8Bytes } from '../protocol/index.ts';

/** The bytes that one snapshot has: for what its sensors saw, and for everything else in it (AICC E4). */
export class SnapshotRoom {
  readonly #left = { sensors: LIMITS.snapshotBytes, rest: LIMITS.snapshotTextBytes };

  /** Whether so much fits; then it has its place. */
  take(what: 'sensors' | 'rest', text: string): boolean {
    const bytes = utf8Bytes(text);
    if (bytes > this.#left[what]) return false;
    this.#left[what] -= bytes;
    return true;
  }
}

/** An empty view with every member. */
const FRAME = '{"available":{},"sensors":{},"omitted":[],"more_omitted":000000}';

/** One body's part of a snapshot: what does not fit is named in `omitted`, or counted in `more_omitted` where not even that fits. */
export class View {
  readonly #room: SnapshotRoom;
  readonly #available: string[] = [];
  readonly #sensors: string[] = [];
  readonly #omitted: string[] = [];
  #more = 0;

  /** @returns undefined when not even an empty one fits */
  static begin(room: SnapshotRoom, name = ''): View | undefined {
    return room.take('rest', name + FRAME) ? new View(room) : undefined;
  }

  private constructor(room: SnapshotRoom) {
    this.#room = room;
  }

  /** Why a tool is not available now. */
  unavailable(id: string, why: string): void {
    this.#put('rest', this.#available, id, JSON.stringify(why));
  }

  /** What a sensor saw: JSON text, or undefined when it has nothing to show. */
  sensed(id: string, output: string | undefined): void {
    this.#put('sensors', this.#sensors, id, output);
  }

  get text(): string {
    const omitted = this.#omitted.length > 0 ? `,"omitted":[${this.#omitted}]` : '';
    const more = this.#more > 0 ? `,"more_omitted":${this.#more}` : '';
    return `{"available":{${this.#available}},"sensors":{${this.#sensors}}${omitted}${more}}`;
  }

  #put(what: 'sensors' | 'rest', members: string[], id: string, value: string | undefined): void {
    const name = JSON.stringify(id);
    if (!this.#room.take('rest', `${name}:,`)) this.#more++;
    else if (value !== undefined && this.#room.take(what, value)) members.push(`${name}:${value}`);
    else this.#omitted.push(name);
  }
}
