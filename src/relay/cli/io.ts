import type { Readable, Writable } from 'node:stream';

/** What a command has of the outside world; tests give their own. */
export interface Io {
  /** What a person types before the command, for help and hints: `aicc`, or `npx phaser-aicc`. */
  program: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  env: Record<string, string | undefined>;
  /** Aborts at Ctrl-C or SIGTERM. */
  interrupted: AbortSignal;
}

export const line = (to: Writable, text: string) => to.write(`${text}\n`);

/** The command line is wrong: one line on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Settles when the user asked to stop. */
export function interruption({ interrupted }: Io): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}
