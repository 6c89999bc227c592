import { createInterface } from 'node:readline';
import type { CallError, Session } from '../../agent/node.ts';
import { TOPICS } from '../../protocol/index.ts';
import type { Command } from './command.ts';
import { failureLabel } from './failure-text.ts';
import { findTool } from './find-tool.ts';
import { type Io, interruption } from './io.ts';
import { completePlayLine, type PlayCommand, readPlayLine } from './play-line.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, tellOfLosses } from './reach.ts';
import { describeTool, listTools } from './tool-text.ts';

const { json: _, ...OPTIONS } = DRIVE_OPTIONS;

export const play: Command = {
  summary: 'drive a character by hand, with Tab to complete',
  help: `aicc play [options]
A prompt for a character's tools; what the character hears and feels is shown as it happens.
Lines:  move_to x=100 y=40    move_to {"x": 100, "y": 40}    say Hello there
        help [TOOL]    snapshot    quit (or Ctrl-C)
Several calls may run at once; a line does not wait for the one before.

${DRIVE_HELP.split('\n')
  .filter((each) => !each.startsWith('  --json'))
  .join('\n')}`,
  options: OPTIONS,
  async run(given, io) {
    given.expectWords();
    // `tick` comes for its snapshot.
    return new Prompt(await openFrom(given, io, TOPICS), io).run();
  },
};

class Prompt {
  readonly #session: Session;
  readonly #io: Io;
  readonly #readline;
  readonly #running = new Set<Promise<void>>();
  #open = true;

  constructor(session: Session, io: Io) {
    this.#session = session;
    this.#io = io;
    this.#readline = createInterface({
      input: io.stdin,
      output: io.stdout,
      terminal: io.stdin.isTTY === true,
      prompt: '> ',
      completer: (line: string) => completePlayLine(line, session.tools),
    });
  }

  async run(): Promise<number> {
    const session = this.#session;
    const io = this.#io;
    const { name } = session.world;
    this.#print(
      `You are in ${name} (${session.tickMode}, ${session.tickRateHz} ticks a second). Tab completes, help lists the tools, Ctrl-C leaves.`,
    );
    for (const topic of TOPICS) {
      if (topic !== 'tick') session.on(topic, (payload: object) => this.#print(`* ${topic} ${JSON.stringify(payload)}`));
    }
    session.on('error', (error) => this.#print(`! ${error.message}`));
    tellOfLosses(session, (text) => this.#print(`aicc play: ${text}`, io.stderr));
    session.on('tools', (tools) => this.#print(`* tools ${tools.map((tool) => tool.id).join(', ')}`));

    const left = new Promise<void>((resolve) => {
      this.#readline.on('SIGINT', resolve);
      this.#readline.on('line', (line) => {
        if (this.#take(line) === 'quit') resolve();
        else this.#ask();
      });
      this.#readline.on('close', () => {
        this.#open = false;
        // The end of a pipe is no wish to leave: what it asked for is still to be shown.
        const shown = this.#readline.terminal ? [] : this.#running;
        Promise.allSettled(shown).then(() => resolve());
      });
    });
    this.#ask();
    const end = await Promise.race([left, interruption(io), session.closed]);
    await session.close();
    this.#readline.close();
    if (end === undefined) return 0;
    throw new Error(`the session is over (${end.code}${end.reason && `, ${end.reason}`})`);
  }

  #take(text: string): 'quit' | undefined {
    const line = readPlayLine(text, this.#session.tools);
    if (line.kind === 'problem') this.#print(`! ${line.problem}`);
    if (line.kind === 'command') return this.#obey(line.command, line.rest);
    if (line.kind === 'call') {
      const running = this.#session.call(line.tool, line.input).then(
        (output) => this.#print(`${line.tool}: ${JSON.stringify(output)}`),
        (error: CallError) =>
          this.#print(`! ${line.tool}: ${failureLabel(error)}, ${error.message}${error.retryable ? ' (trying again may help)' : ''}`),
      );
      this.#running.add(running);
      running.finally(() => this.#running.delete(running));
    }
    return undefined;
  }

  #obey(command: PlayCommand, rest: string): 'quit' | undefined {
    if (command === 'quit') return 'quit';
    if (command === 'snapshot') {
      this.#print(JSON.stringify(this.#session.snapshot ?? {}, null, 2));
    } else if (rest === '') {
      this.#print(listTools(this.#session.tools));
    } else {
      try {
        this.#print(describeTool(findTool(this.#session, rest)));
      } catch (error) {
        this.#print(`! ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  #ask(): void {
    if (this.#open && this.#readline.terminal) this.#readline.prompt(true);
  }

  /** Above the prompt, which keeps what has been typed. */
  #print(text: string, to = this.#io.stdout): void {
    if (this.#readline.terminal) this.#io.stdout.write('\r\x1b[K');
    to.write(`${text}\n`);
    this.#ask();
  }
}
