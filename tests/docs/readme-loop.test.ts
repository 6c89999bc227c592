import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ConnectError, connect, type Session } from '../../src/agent/node.ts';
import { hill, until } from '../aicontrol/hill.ts';
import { start } from '../relay/harness.ts';

/** The function of that name as the README shows it, with what it imports given, and with these words for those. */
function fromReadme(name: string, given: object, words: Readonly<Record<string, string>>): unknown {
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  let code = blocks.find((block) => block.includes(`function ${name}(`)) ?? '';
  for (const [shown, meant] of Object.entries(words)) {
    expect(code).toContain(shown);
    code = code.replaceAll(shown, meant);
  }
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, '').replaceAll('export ', ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  return new Function(...Object.keys(given), `${outputText}\nreturn ${name};`)(...Object.values(given));
}

test("C6: the README's loop drives on after the page was reloaded, and ends when the session is closed in good order", async () => {
  const relay = await start();
  const words = { 'ws://127.0.0.1:4750/agent': relay.agentUrl, "'mira'": "'ann'" };
  const keepDriving = fromReadme('keepDriving', { ConnectError, connect }, words) as (play: (mira: Session) => void) => Promise<void>;
  const sessions: Session[] = [];
  const driving = keepDriving((session) => sessions.push(session));

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
});
