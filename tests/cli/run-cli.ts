import { PassThrough } from 'node:stream';
import { main } from '../../src/relay/cli/main.ts';

export interface Run {
  /** Settles with the exit code. */
  exit: Promise<number>;
  out(): string;
  err(): string;
  /** Resolves when stdout shows this text, or the next time it does. */
  shows(text: string): Promise<void>;
  /** The same of stderr. */
  warns(text: string): Promise<void>;
  type(text: string): void;
  endInput(): void;
  interrupt(): void;
}

/** The command line in this process, with streams of its own. `tty`: as if a person sat there. */
export function runCli(
  argv: string[],
  { env = {}, program = 'aicc', tty = false }: { env?: Record<string, string>; program?: string; tty?: boolean } = {},
): Run {
  const stdin = Object.assign(new PassThrough(), { isTTY: tty });
  const interrupt = new AbortController();
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  const stdout = new PassThrough().on('data', (chunk) => {
    out += chunk;
    for (const look of waiting) look();
  });
  const stderr = new PassThrough().on('data', (chunk) => {
    err += chunk;
    for (const look of waiting) look();
  });
  const seen = (all: () => string, text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!all().includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    exit: main(argv, { program, stdin, stdout, stderr, env, interrupted: interrupt.signal }),
    out: () => out,
    err: () => err,
    shows: (text) => seen(() => out, text),
    warns: (text) => seen(() => err, text),
    type: (text) => void stdin.write(text),
    endInput: () => void stdin.end(),
    interrupt: () => interrupt.abort(),
  };
}

/** Runs to the end. */
export async function cli(argv: string[], env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const run = runCli(argv, { env });
  const code = await run.exit;
  return { code, out: run.out(), err: run.err() };
}
