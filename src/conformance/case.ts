import type { Site } from './site.ts';
import type { Transport } from './wire.ts';

/** One thing that a rule of AICC promises, and how to see whether it is kept. */
export interface Case {
  /** Like `A3`. */
  rule: string;
  title: string;
  /** Where it can be seen at all. Default: everywhere. */
  on?: readonly Transport[];
  /** Tools that the world must have for it. */
  tools?: readonly string[];
  /** Why it cannot be judged from outside at all: said to whoever reads the findings, so that nobody takes it for tried. */
  unseen?: string;
  /** `true`, or why it does not apply here. */
  applies?(site: Site): true | string;
  /** Milliseconds of wall time that it lets pass: most of what it takes. */
  takesMs?: number;
  /** Returns when the promise is kept. @throws {Failure} that says how it is not */
  run(site: Site): Promise<void>;
}
