import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let start: ChildProcess;
let ready: { url: string; aicontrol: number };
let browser: Browser;
let page: Page;
const sockets: Socket[] = [];

/** What `npm start -- --aicontrol` starts, at free ports. */
beforeAll(async () => {
  start = spawn(process.execPath, ['demo-game/start.mjs', '--no-open', '--port', '0', '--tcp-port', '0', '--aicontrol-port', '0'], {
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  for await (const chunk of start.stdout as NonNullable<typeof start.stdout>) {
    out += chunk;
    if (out.includes('\n')) break;
  }
  ready = JSON.parse(out.replace('AICC_READY ', ''));
  browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: FLAGS });
}, 300_000);

afterAll(async () => {
  await browser?.close();
  if (start?.exitCode === null) {
    start.kill('SIGINT');
    await once(start, 'exit');
  }
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await page?.close();
});

/** Lines out, lines in, and nothing of ours between. */
async function client(): Promise<(line: string) => Promise<string>> {
  const socket = connect(ready.aicontrol, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  return async (line) => {
    socket.write(`${line}\n`);
    while (!text.includes('\n')) await once(socket, 'data');
    const end = text.indexOf('\n');
    const answer = text.slice(0, end);
    text = text.slice(end + 1);
    return answer;
  };
}

async function play(query = ''): Promise<void> {
  page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  await page.goto(`${ready.url}?play&renderer=canvas&seed=7${query}`);
}

const shown = async (name: string): Promise<string> => (await page.locator('#game').getAttribute(`data-${name}`)) ?? '';
const mira = async (): Promise<{ x: number; y: number; driver: string; carries: string; says: string }> =>
  JSON.parse((await shown('mira')) || '{}');

interface Observation {
  ready: boolean;
  availableActions: { type: string }[];
  sensors: { vision: { entities: { id: string; kind: string; distance: number }[] }; village: { lit: number } };
}

test('issue 4, W18: a bare AiControl client alone drives Mira to a flask, to a lantern, and lights it', async () => {
  await play();
  await expect.poll(mira, { timeout: 30_000 }).toMatchObject({ driver: 'builtin' });
  const send = await client();
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    const { error, result } = JSON.parse(await send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })));
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const observe = async (): Promise<Observation> => (await ask('observe')).observation;
  let afterSeq = 0;
  const perform = async (command: object) => {
    const { commandSeq } = await ask('act', command);
    for (;;) {
      const { events } = await ask('events', { afterSeq });
      for (const { event, seq } of events) {
        afterSeq = seq;
        if (event.type === 'command_completed' && event.commandSeq === commandSeq) return event;
      }
      await page.waitForTimeout(50);
    }
  };

  await expect.poll(async () => (await observe()).ready, { timeout: 10_000 }).toBe(true);
  await expect.poll(mira).toMatchObject({ driver: 'agent' });
  const before = await mira();
  expect(await perform({ type: 'say', stringArg: 'On my way.' })).toMatchObject({ success: true });
  await expect.poll(async () => (await mira()).says).toBe('On my way.');

  // A flask may be in Mira's hands already: the built-in driver had her until now.
  if (before.carries === '') {
    const { sensors } = await observe();
    const flask = sensors.vision.entities.find(({ kind }) => kind === 'oil_flask')?.id as string;
    expect(await perform({ type: 'move_to', targetId: flask })).toMatchObject({ success: true });
    expect(await perform({ type: 'pick_up', targetId: flask })).toMatchObject({ success: true, output: { carrying: flask } });
  }
  const { availableActions, sensors } = await observe();
  expect(availableActions.map(({ type }) => type)).toContain('light_lantern');
  const lantern = sensors.vision.entities.find(({ kind }) => kind === 'lantern')?.id ?? 'lantern_3';
  expect(await perform({ type: 'move_to', targetId: lantern })).toMatchObject({ success: true });
  expect(await perform({ type: 'light_lantern', targetId: lantern })).toMatchObject({ success: true });
  await expect.poll(() => shown('lit')).not.toBe('0');
  const after = await mira();
  expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeGreaterThan(20);
  expect((await observe()).sensors.village.lit).toBeGreaterThan(0);
});

test('the transcript of docs/aicontrol.md happens as it stands there', async () => {
  await play('&driver=none');
  await expect.poll(() => shown('scene'), { timeout: 30_000 }).toBe('hud');
  const lines = (/```jsonl\n([^`]*)```/.exec(readFileSync('docs/aicontrol.md', 'utf8'))?.[1] ?? '').trim().split('\n');
  expect(lines.length).toBe(10);
  const send = await client();
  await expect.poll(async () => (await observed(send)).ready, { timeout: 10_000 }).toBe(true);
  for (let at = 0; at < lines.length; at += 2) {
    const got = await send(lines[at] as string);
    expect(shape(JSON.parse(got))).toEqual(shape(JSON.parse(lines[at + 1] as string)));
  }
});

async function observed(send: (line: string) => Promise<string>): Promise<Observation> {
  return JSON.parse(await send('{"jsonrpc":"2.0","id":0,"method":"observe"}')).result.observation;
}

/** The same value with its numbers and lists' lengths left out: runs differ in those. */
function shape(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shape(each)]));
}
