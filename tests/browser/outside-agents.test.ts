import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type GamePage, LiveGame } from './live-game.ts';

type Message = { type: string; session_id: string; message_id: string; [more: string]: unknown };

const NIL = '00000000-0000-0000-0000-000000000000';
const ajv = new Ajv2020({ allowUnionTypes: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const valid = ajv.compile(JSON.parse(readFileSync('src/protocol/aicc.schema.json', 'utf8')));

let game: LiveGame;
let night: GamePage;
const leave: (() => void)[] = [];

beforeAll(async () => {
  game = await LiveGame.start();
}, 300_000);
afterAll(() => game?.close());
afterEach(async () => {
  for (const each of leave.splice(0)) each();
  await night?.page.close();
});

/** A program that knows nothing but the wire. Every AICC message of either direction must satisfy the schema. */
class Outsider {
  readonly received: Message[] = [];
  session = NIL;
  private readonly lookers = new Set<() => void>();

  constructor(private readonly write: (text: string) => void) {}

  static async overWebSocket(query: string): Promise<Outsider> {
    const socket = new WebSocket(`${game.ready.agent}?${query}`);
    leave.push(() => socket.terminate());
    const outsider = new Outsider((text) => socket.send(text));
    socket.on('message', (data) => outsider.take(String(data)));
    await once(socket, 'open');
    return outsider;
  }

  static async overTcp(): Promise<Outsider> {
    const socket = connect(game.ready.tcp, '127.0.0.1');
    leave.push(() => socket.destroy());
    await once(socket, 'connect');
    const outsider = new Outsider((text) => socket.write(`${text}\n`));
    createInterface({ input: socket }).on('line', (line) => outsider.take(line));
    return outsider;
  }

  take(text: string): void {
    const message = JSON.parse(text) as Message;
    expect(valid(message), `${text}: ${ajv.errorsText(valid.errors)}`).toBe(true);
    if (message.type === 'session_init') this.session = message.session_id;
    this.received.push(message);
    for (const look of [...this.lookers]) look();
  }

  async next<T = Message>(wanted: (message: Message) => boolean): Promise<T> {
    for (;;) {
      const found = this.received.find(wanted);
      if (found) {
        this.received.splice(this.received.indexOf(found), 1);
        return found as T;
      }
      await new Promise<void>((resolve) => {
        const look = () => {
          this.lookers.delete(look);
          resolve();
        };
        this.lookers.add(look);
      });
    }
  }

  /** `well` false: something that the schema must refuse. */
  say(type: string, more: object = {}, well = true): string {
    const message = { protocol: 'aicc/0.1', type, session_id: this.session, message_id: crypto.randomUUID(), ...more };
    expect(valid(message)).toBe(well);
    this.write(JSON.stringify(message));
    return message.message_id;
  }

  sayRaw(text: string): void {
    this.write(text);
  }

  async call(tool: string, input: object = {}): Promise<Result> {
    const call_id = crypto.randomUUID();
    this.say('tool_call', { call_id, tool, input });
    return this.result(call_id);
  }

  result(call_id: string): Promise<Result> {
    return this.next<Result>((message) => message.type === 'tool_result' && message.call_id === call_id);
  }

  async error(reply: string): Promise<{ code: string; message: string; retryable: boolean }> {
    const { error } = await this.next<{ error: { code: string; message: string; retryable: boolean } }>(
      ({ type, message_id }) => type === 'error' && message_id === reply,
    );
    return error;
  }
}

interface Result {
  ok: boolean;
  output?: { position?: { x: number; y: number }; entities?: { id: string }[]; heard_by?: string[]; cancelled?: boolean };
  error?: { code: string; message: string; retryable: boolean };
}

async function startNight(): Promise<void> {
  night = await game.play();
  await expect.poll(() => night.person('mira'), { timeout: 30_000 }).toMatchObject({ driver: 'builtin' });
}

test('an outside program takes Mira over a WebSocket: it senses, walks and speaks, every error is clean, and then the built-in driver is back', async () => {
  await startNight();
  const agent = await Outsider.overWebSocket('world=lantern_night&character=mira&model=edge_small');
  const init = await agent.next<Message & { tools: { id: string }[] }>(({ type }) => type === 'session_init');
  expect(init.tools.map(({ id }) => id)).toEqual(expect.arrayContaining(['vision', 'body', 'move_to', 'say', 'cancel_call']));
  await expect.poll(() => night.person('mira')).toMatchObject({ driver: 'agent', mind: 'edge_small' });

  const sensed = await agent.call('body');
  expect(sensed.ok).toBe(true);
  expect((await agent.call('vision')).output?.entities?.length).toBeGreaterThan(0);

  const from = sensed.output?.position as { x: number; y: number };
  // Two places on the village's paths, the one that is farther away.
  const to = Math.hypot(from.x - 600, from.y - 300) > 100 ? { x: 600, y: 300 } : { x: 450, y: 420 };
  expect(await agent.call('move_to', to)).toMatchObject({ ok: true, output: { position: expect.anything() } });
  await expect
    .poll(async () => {
      const { x = 0, y = 0 } = await night.person('mira');
      return Math.hypot(x - to.x, y - to.y);
    })
    .toBeLessThan(12);
  expect(await agent.call('say', { text: 'I came from outside.' })).toMatchObject({ ok: true });
  await expect.poll(() => night.person('mira')).toMatchObject({ says: 'I came from outside.' });

  // One clean error of each code that a well-made game lets anybody provoke.
  expect((await agent.call('fly')).error).toMatchObject({ code: 'tool_unknown', retryable: false });
  expect((await agent.call('say', { text: 7 })).error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('/text') });
  expect((await agent.call('light_lantern', { target: 'lantern_1' })).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  const long = crypto.randomUUID();
  agent.say('tool_call', { call_id: long, tool: 'move_to', input: { target: 'lantern_1' } });
  expect(await agent.call('cancel_call', { call_id: long })).toMatchObject({ ok: true, output: { cancelled: true } });
  expect((await agent.result(long)).error).toMatchObject({ code: 'execution_failed', message: 'cancelled' });
  expect(await agent.error(agent.say('heartbeat', { session_id: crypto.randomUUID() }))).toMatchObject({ code: 'session_expired' });
  expect(await agent.error(agent.say('tool_result', { call_id: 'x', ok: true }))).toMatchObject({ code: 'invalid_input' });
  agent.sayRaw('{not json');
  expect(await agent.next(({ type }) => type === 'error')).toMatchObject({ error: { code: 'invalid_input' } });

  agent.say('session_close');
  await agent.next(({ type }) => type === 'session_close');
  await expect.poll(() => night.person('mira')).toMatchObject({ driver: 'builtin', mind: 'behaviour tree' });
});

test('another takes Old Tam over a bare TCP socket while Mira goes her own way, and a wrong protocol is told and closed', async () => {
  await startNight();
  const agent = await Outsider.overTcp();
  agent.sayRaw('{"connect":{"character":"old_tam","agent_model":{"class":"cloud_large"}}}');
  await agent.next(({ type }) => type === 'session_init');
  await expect.poll(() => night.person('old-tam')).toMatchObject({ driver: 'agent', mind: 'cloud_large' });
  const from = (await agent.call('body')).output?.position as { x: number; y: number };
  const walked = await agent.call('move_to', { x: from.x, y: from.y + 30 });
  expect(walked.error ?? {}).toEqual({});
  await expect.poll(async () => Math.abs(((await night.person('old-tam')).y ?? 0) - from.y)).toBeGreaterThan(15);
  expect(await agent.call('say', { text: 'Evening, all.' })).toMatchObject({ ok: true });
  await expect.poll(() => night.person('old-tam')).toMatchObject({ says: 'Evening, all.' });
  expect(await night.person('mira')).toMatchObject({ driver: 'builtin' });

  const id = agent.say('heartbeat', { protocol: 'aicc/9.9' }, false);
  expect(await agent.error(id)).toMatchObject({ code: 'protocol_mismatch', retryable: false });
  await expect.poll(() => night.person('old-tam'), { timeout: 90_000 }).toMatchObject({ driver: 'none' });
});

test('the conversation of the README works as it stands there', async () => {
  await startNight();
  const script = /```bash\n([^`]*\/dev\/tcp[^`]*)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  expect(script).toContain('/dev/tcp/127.0.0.1/4751');
  const bash = spawn('bash', ['-c', script.replace('/4751', `/${game.ready.tcp}`)]);
  leave.push(() => bash.kill());
  const [line] = await once(createInterface({ input: bash.stdout }), 'line');
  expect(JSON.parse(line)).toMatchObject({ type: 'tool_result', call_id: '1', ok: true, output: { heard_by: expect.any(Array) } });
  await expect.poll(() => night.person('old-tam')).toMatchObject({ says: 'Evening, all.' });
});
