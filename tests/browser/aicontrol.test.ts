import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type GamePage, LiveGame } from './live-game.ts';

let game: LiveGame;
let night: GamePage;
const sockets: Socket[] = [];

beforeAll(async () => {
  game = await LiveGame.start('--aicontrol-port', '0');
}, 300_000);

afterAll(() => game?.close());

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await night?.page.close();
});

/** Lines out, lines in, and nothing of ours between. */
async function client(): Promise<(line: string) => Promise<string>> {
  const socket = connect(game.ready.aicontrol as number, '127.0.0.1');
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

interface Completion {
  type: string;
  commandSeq?: number;
}

interface Observation {
  ready: boolean;
  availableActions: { type: string }[];
  sensors: { vision: { entities: { id: string; kind: string; distance: number }[] }; village: { lit: number } };
}

test('W18: a bare AiControl client alone drives Mira to a flask, to a lantern, and lights it', async () => {
  night = await game.play();
  await expect.poll(() => night.person('mira'), { timeout: 30_000 }).toMatchObject({ driver: 'builtin' });
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
    // The protocol sends nothing unasked (W7): a client has to look again and again.
    return vi.waitUntil(
      async () => {
        const { events } = await ask('events', { afterSeq });
        afterSeq = events.at(-1)?.seq ?? afterSeq;
        return events.find(({ event }: { event: Completion }) => event.type === 'command_completed' && event.commandSeq === commandSeq)
          ?.event;
      },
      { timeout: 60_000 },
    );
  };

  await expect.poll(async () => (await observe()).ready, { timeout: 10_000 }).toBe(true);
  await expect.poll(() => night.person('mira')).toMatchObject({ driver: 'agent' });
  const before = await night.person('mira');
  expect(await perform({ type: 'say', stringArg: 'On my way.' })).toMatchObject({ success: true });
  await expect.poll(async () => (await night.person('mira')).says).toBe('On my way.');

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
  await expect.poll(() => night.shown('lit')).not.toBe('0');
  const after = await night.person('mira');
  expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeGreaterThan(20);
  expect((await observe()).sensors.village.lit).toBeGreaterThan(0);
});

test('the transcript of docs/aicontrol.md happens as it stands there', async () => {
  night = await game.play('&driver=none');
  await expect.poll(() => night.shown('scene'), { timeout: 30_000 }).toBe('hud');
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
