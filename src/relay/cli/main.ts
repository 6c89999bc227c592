import packageJson from '../../../package.json' with { type: 'json' };
import { CallError, ConnectError } from '../../agent/node.ts';
import { aicontrol } from './aicontrol.ts';
import { call } from './call.ts';
import { type Command, Given } from './command.ts';
import { conformance } from './conformance.ts';
import { failureLabel } from './failure-text.ts';
import { type Io, line, UsageError } from './io.ts';
import { keys } from './keys.ts';
import { offer } from './offer.ts';
import { play } from './play.ts';
import { asTyped } from './program.ts';
import { relay } from './relay.ts';
import { token } from './token.ts';
import { tools } from './tools.ts';
import { types } from './types.ts';
import { wait } from './wait.ts';
import { watch } from './watch.ts';
import { worlds } from './worlds.ts';

const COMMANDS: Record<string, Command> = {
  relay,
  worlds,
  wait,
  tools,
  types,
  call,
  watch,
  play,
  aicontrol,
  keys,
  offer,
  token,
  conformance,
};

/** Exit codes: done; it failed; the command line is wrong; Ctrl-C ended what had not finished. */
const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * The command `aicc`.
 * @param argv without node and script
 * @returns the exit code; never rejects
 */
export async function main(argv: string[], io: Io): Promise<number> {
  const [name = '', ...args] = argv;
  if (name === '') return misuse(io, 'aicc', 'a command is missing');
  if (name === '--version' || name === 'version') return answer(io, packageJson.version);
  if (name === 'help' || name === '--help' || name === '-h') return help(args[0], io);
  const command = commandNamed(name);
  if (command === undefined) return misuse(io, 'aicc', `there is no command "${name}"; to call a tool: aicc call ${name}`);
  if (args.includes('--help') || args.includes('-h')) return answer(io, command.help);
  const json = args.includes('--json');
  try {
    return await command.run(Given.parse(args, command.options), io);
  } catch (error) {
    if (error instanceof UsageError) return misuse(io, `aicc ${name}`, error.message);
    if (io.interrupted.aborted) return EXIT.interrupted;
    const { message } = error as Error;
    const { code, retryable } = error instanceof CallError || error instanceof ConnectError ? error : { code: 'failed', retryable: false };
    const reason = error instanceof CallError ? { reason: error.reason } : {};
    if (json) line(io.stdout, JSON.stringify({ ok: false, error: { code, message, retryable, ...reason } }));
    // Who cannot connect is told by the message what would help, such as to name a world.
    const told = error instanceof CallError ? `${failureLabel(error)}: ${message}${retryable ? ' (trying again may help)' : ''}` : message;
    line(io.stderr, oneLine(`aicc ${name}: ${told}`));
    return EXIT.failed;
  }
}

function help(name: string | undefined, io: Io): number {
  if (name === undefined) {
    const list = Object.entries(COMMANDS).map(([each, { summary }]) => `  ${each.padEnd(13)}${summary}`);
    return answer(
      io,
      [
        'aicc: let agents drive characters in a Phaser game.',
        '',
        ...list,
        '',
        'Exit codes: 0 done, 1 it failed or nobody answered in time, 2 the command line is wrong, 130 stopped by Ctrl-C.',
        `More: aicc COMMAND --help${io.program === 'aicc' ? ' (without aicc on your path: npx phaser-aicc COMMAND)' : ''}`,
      ].join('\n'),
    );
  }
  const command = commandNamed(name);
  return command === undefined ? misuse(io, 'aicc help', `there is no command "${name}"`) : answer(io, command.help);
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function answer(io: Io, text: string): number {
  line(io.stdout, asTyped(text, io.program, Object.keys(COMMANDS)));
  return EXIT.ok;
}

function misuse(io: Io, who: string, problem: string): number {
  const hinted = `${problem} (see: ${who === 'aicc' || who === 'aicc help' ? 'aicc help' : `${who} --help`})`;
  line(io.stderr, oneLine(`${who}: ${asTyped(hinted, io.program, Object.keys(COMMANDS))}`));
  return EXIT.usage;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
