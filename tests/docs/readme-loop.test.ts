import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { type ConnectOptions, type DriveOptions, drive, type Play, type Session } from '../../src/agent/node.ts';
import { hill, until } from '../aicontrol/hill.ts';
import { start } from '../relay/harness.ts';

/** Runs the block of the README that calls `drive`, with what it imports given, and with these words for those. */
function runFromReadme(given: object, words: Readonly<Record<string, string>>): Promise<void> {
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  let code = blocks.find((block) => block.includes('await drive(')) ?? '';
  for (const [shown, meant] of Object.entries(words)) {
    expect(code).toContain(shown);
    code = code.replaceAll(shown, meant);
  }
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, ''), { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction(...Object.keys(given), outputText)(...Object.values(given));
}

test("C6: the README's loop drives on after the page was reloaded, and ends when the character is removed for good", async () => {
  const relay = await start();
  const sessions: Session[] = [];
  const log: string[] = [];
  const watched = (options: DriveOptions<ConnectOptions>, play: Play) =>
    drive(options, (session: Session) => {
      sessions.push(session);
      return play(session);
    });
  const console = { log: (message: string) => log.push(message) };
  const driving = runFromReadme({ drive: watched, console }, { 'ws://127.0.0.1:4750/agent': relay.agentUrl, "'mira'": "'ann'" });

  const before = hill(relay.gameUrl);
  await until(() => sessions.length === 1);
  before.leave();
  before.bridge.close();
  expect(await sessions[0]?.closed).toMatchObject({ code: 1012, reason: expect.stringContaining('is not known here') });

  const { ann } = hill(relay.gameUrl);
  await until(() => sessions.length === 2);
  expect(await sessions[1]?.call('step')).toEqual({ steps: 1 });
  ann.remove('home');
  await driving;
  expect(sessions).toHaveLength(2);
  expect(log.at(-1)).toBe('home');
});
