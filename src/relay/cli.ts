#!/usr/bin/env node
import { main } from './cli/main.ts';
import { programOf } from './cli/program.ts';

/** For sockets that close in good order. Milliseconds. */
const LINGER_MS = 500;

const interrupt = new AbortController();
// Once each: a second Ctrl-C ends the process the usual way, should anything hang.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupt.abort());
// The reader of a pipe has left (`aicc watch | head`).
process.stdout.on('error', () => process.exit(0));

const code = await main(process.argv.slice(2), {
  program: programOf(process.argv[1], process.env),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interrupted: interrupt.signal,
});

process.exitCode = code;
// What was given up, such as a look-up of a name that nobody answers, must not keep the process: but all that was printed is to be read first.
process.stdout.write('', () => setTimeout(() => process.exit(), LINGER_MS).unref());
