import { appendFile, open } from 'node:fs/promises';
import { type Offer, type Refused, visible } from '../../contract/node.ts';

/** One decision (T18): ids and hashes, no tokens, nothing of what the parties agreed. */
export interface Decided {
  /** What was decided about. */
  what: 'offer' | 'activation' | 'token' | 'session' | 'end';
  /** Whose words the reason repeats; absent: the relay's own. */
  by?: 'agent' | undefined;
  decision: 'ALLOW' | 'CHALLENGE' | 'DENY';
  from?: 'platform' | 'local' | undefined;
  /** The T7 step, where one decided. */
  step?: string | undefined;
  reason?: string | undefined;
  offerId?: string | undefined;
  interactionId?: string | undefined;
  agentId?: string | undefined;
  counterparty?: string | undefined;
  contractHash?: string | undefined;
}

/** The append-only log of decisions, one JSON object a line. */
export class AuditLog {
  readonly #file: string | undefined;
  readonly #now: () => number;
  readonly #failed: (sentence: string) => void;
  #last: Promise<void>;

  /** @param file undefined: nothing is kept */
  constructor(file: string | undefined, now: () => number, failed: (sentence: string) => void) {
    this.#file = file;
    this.#now = now;
    this.#failed = failed;
    this.#last = file === undefined ? Promise.resolve() : this.#try(file, endLastLine);
  }

  write(decided: Decided): void {
    const file = this.#file;
    if (file === undefined) return;
    const line = `${visible(JSON.stringify({ time: new Date(this.#now()).toISOString(), ...decided }))}\n`;
    this.#last = this.#last.then(() => this.#try(file, () => append(file, line)));
  }

  /** Resolves when all that was written is on disk. */
  flushed(): Promise<void> {
    return this.#last;
  }

  async #try(file: string, write: (file: string) => Promise<void>): Promise<void> {
    try {
      await write(file);
    } catch (error) {
      this.#failed(`The audit log ${file} cannot be written: ${(error as Error).message}`);
    }
  }
}

const LF = 10;

const append = (file: string, text: string): Promise<void> => appendFile(file, text, { mode: 0o600 });

/** What a process that was killed wrote half must not run into the next line. */
async function endLastLine(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.of(LF), position: Math.max(0, size - 1) });
    if (buffer[0] !== LF) await append(path, '\n');
  } finally {
    await file.close();
  }
}

/** What the log says of an offer. */
export function about({ agentId, contractHash, counterparty, interactionId, offerId }: Offer): Partial<Decided> {
  return { offerId, interactionId, agentId, counterparty: counterparty.agentId, contractHash };
}

/** What the log says of a text that was refused. */
export function aboutText(text: string): Partial<Decided> {
  try {
    const { interactionId, offerId } = JSON.parse(text) as { offerId?: unknown; interactionId?: unknown };
    return {
      ...(typeof offerId === 'string' && { offerId: offerId.slice(0, 64) }),
      ...(typeof interactionId === 'string' && { interactionId: interactionId.slice(0, 64) }),
    };
  } catch {
    return {};
  }
}

/** What the log says of a refusal. */
export const denied = ({ reason, step }: Refused) => ({ decision: 'DENY', step, reason }) as const;
