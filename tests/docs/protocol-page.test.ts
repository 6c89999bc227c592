import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { errorCodes, generatedParts } from './generated.ts';

const PAGE = fileURLToPath(new URL('../../docs/protocol.md', import.meta.url));
/** What stands between these two lines is made by a run: `npx vitest run --project unit tests/docs -u` renews it. */
const PART = /(<!-- made: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

test('docs/protocol.md shows what a bridge and a relay really say', async () => {
  // The game link wants one, and Node 20 has none.
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = readFileSync(PAGE, 'utf8');
  const parts = await generatedParts();
  const used: string[] = [];
  const fresh = page.replace(PART, (_all, begin: string, name: string, end: string) => {
    used.push(name);
    return `${begin}${parts.get(name) ?? `there is no part "${name}"`}\n${end}`;
  });
  expect([...used].sort()).toEqual([...parts.keys()].sort());
  await expect(fresh).toMatchFileSnapshot(PAGE);
});

test('docs/protocol.md explains every error code', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const code of errorCodes) expect(page, code).toContain(`### \`${code}\``);
});
