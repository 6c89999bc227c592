import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Session } from 'phaser-aicc/agent';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { offerArguments } from '../../demo-game/contract/arguments.mjs';
import { cli } from '../cli/run-cli.ts';
import { type GamePage, LiveGame } from './live-game.ts';

const DRIVER = 'driver-one';
const folder = mkdtempSync(join(tmpdir(), 'aicc-contract-'));
const file = (name: string) => join(folder, name);

let game: LiveGame;
let night: GamePage;
const sessions: Session[] = [];

/** The command line, which must succeed. */
async function aicc(...argv: string[]): Promise<string> {
  const { code, out, err } = await cli(argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.trim();
}

beforeAll(async () => {
  const keys = [];
  for (const agent of ['mira', DRIVER]) keys.push(JSON.parse(await aicc('keys', 'new', '--agent', agent, '--out', file(`${agent}.key`))));
  writeFileSync(file('keys.json'), JSON.stringify({ keys }));
  game = await LiveGame.start('--trust', file('keys.json'), '--require-offer', 'mira', '--state', file('state'));
}, 300_000);
afterAll(async () => {
  await game?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await night?.page.close();
});

let offers = 0;

/** A new offer of the demo's contract, signed by both, with the token of who may drive under it. */
async function makeOffer(...more: string[]): Promise<{ path: string; offer: object; token: string }> {
  const path = file(`offer-${++offers}.json`);
  await aicc(...offerArguments(DRIVER, '--out', path, ...more));
  for (const agent of ['mira', DRIVER]) await aicc('offer', 'sign', path, '--key', file(`${agent}.key`), '--out', path);
  await aicc('offer', 'check', path, '--trust', file('keys.json'), '--agent', 'mira');
  const token = await aicc('token', 'new', path, '--key', file(`${DRIVER}.key`));
  return { path, offer: JSON.parse(readFileSync(path, 'utf8')), token };
}

async function drive({ offer, token }: { offer: object; token: string }): Promise<Session> {
  const session = await connect({ url: game.ready.agent, offer, token, observe: true, waitMs: 20_000 });
  sessions.push(session);
  await expect.poll(() => night.person('mira')).toMatchObject({ driver: 'agent' });
  return session;
}

async function startNight(query = ''): Promise<void> {
  night = await game.play(query);
  await expect.poll(() => night.shown('scene'), { timeout: 30_000 }).toBe('hud');
}

async function type(line: string): Promise<void> {
  const { page } = night;
  await page.keyboard.press('Enter');
  await page.locator('.chat input').fill(line);
  await page.keyboard.press('Enter');
}

const dialog = () => night.page.locator('.approval');
const button = (name: string) => night.page.getByRole('button', { name });
/** The dialog is there and takes answers. */
const asked = () => night.page.locator('.approval[data-hears]').waitFor();
const input = async () => (await dialog().locator('pre').textContent()) ?? '';
const gone = () => dialog().waitFor({ state: 'hidden' });

test('T9, T10, T11: under the shipped contract Mira is driven: refused what it forbids, kept from what is private, and gives away what the player allows', async () => {
  await startNight();
  await expect(connect({ url: game.ready.agent, character: 'mira' })).rejects.toThrow("'mira' is driven under a session offer alone");

  await type('# the oil is behind the mill');
  await expect.poll(() => night.shown('notes')).toBe('1');
  // The game's own Mira may know it, and has time to say so.
  for (const [line, answer] of [
    ['Wait here', 'I will wait here.'],
    ['What did I note?', 'You noted: the oil is behind the mill'],
    ['Fetch oil', expect.anything()],
  ] as const) {
    await type(line);
    await expect.poll(async () => (await night.person('mira')).says, { timeout: 20_000 }).toEqual(answer);
  }
  await expect.poll(async () => (await night.person('mira')).carries, { timeout: 60_000, interval: 20 }).not.toBe('');
  const under = await makeOffer();
  const mira = await drive(under);

  // T9: what is not allowed is not in the catalogue, and refused.
  const ids = mira.tools.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['vision', 'body', 'player', 'move_to', 'say', 'give']));
  for (const tool of ['light_lantern', 'pick_up']) {
    expect(ids).not.toContain(tool);
    await expect(mira.call(tool, { target: 'lantern_1' })).rejects.toMatchObject({ code: 'tool_unavailable', retryable: false });
  }

  // T10: the notebook is in no output, no snapshot and no schema.
  expect(await mira.call('player')).toEqual({ carrying: '' });
  expect(mira.snapshot?.sensors).toMatchObject({ player: { carrying: '' } });
  expect(mira.tools.find(({ id }) => id === 'player')?.output_schema).toMatchObject({ required: ['carrying'] });
  expect(JSON.stringify([mira.snapshot, mira.tools])).not.toMatch(/mill|notes/);

  // T11: giving is the player's to decide.
  await mira.call('move_to', { target: 'player' });
  const refused = mira.call('give', { target: 'player' });
  refused.catch(() => undefined);
  await asked();
  expect((await dialog().locator('dd').allTextContents()).slice(0, 2)).toEqual(['driver-one, driving Mira', 'give']);
  expect(JSON.parse(await input())).toEqual({ target: 'player' });
  await night.page.keyboard.press('Escape');
  await expect(refused).rejects.toMatchObject({ code: 'tool_unavailable', retryable: false, message: expect.stringContaining('refused') });
  await gone();
  expect(await night.shown('scene')).toBe('hud');

  const given = mira.call('give', { target: 'player' });
  await asked();
  await button('Allow once').click();
  expect(await given).toEqual({ carrying: '' });
  await expect.poll(async () => (await night.person('player')).carries).not.toBe('');

  // The same offer opens the next session, here from the command line.
  await mira.close();
  const by = ['--offer', under.path, '--url', game.ready.agent];
  const env = { AICC_TOKEN: under.token };
  expect(await cli(['call', 'stop', ...by], env)).toMatchObject({ code: 0, err: '' });
  expect(await cli(['call', 'pick_up', '{"target":"oil_1"}', ...by], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining("the contract does not allow 'pick_up'"),
  });
  expect(night.problems).toEqual([]);
});

test('T11: the dialog shows text as text, lets nothing count too early, keeps its keys from the game, and goes away with its call', async () => {
  await startNight('&driver=none');
  const { page } = night;
  const mira = await drive(await makeOffer('--approve', 'say'));

  // Whatever is pressed in the moment in which it appears.
  await page.evaluate(() => {
    const box = document.querySelector<HTMLElement>('.approval') as HTMLElement;
    const seen = new MutationObserver(() => {
      seen.disconnect();
      document.body.dataset.focused = document.activeElement?.className ?? '';
      const allow = box.querySelector<HTMLElement>('[data-answer=once]') as HTMLElement;
      for (const key of ['Enter', ' ', 'Escape'])
        allow.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      allow.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      allow.click();
    });
    seen.observe(box, { attributes: true, attributeFilter: ['hidden'] });
  });
  const start = await night.person('player');
  await page.keyboard.down('d');
  await expect.poll(async () => (await night.person('player')).x).toBeGreaterThan(start.x as number);
  const text = '<img src=x onerror=alert(1)> \u202eerutuf';
  const first = mira.call('say', { text });
  first.catch(() => undefined);
  await asked();
  expect(await page.locator('body').getAttribute('data-focused')).toBe('approval');
  expect(await input()).toContain('<img src=x onerror=alert(1)> \\u{202e}erutuf');
  expect(await dialog().locator('img').count()).toBe(0);

  // The key that was held does not walk on, and none pauses, walks or talks from here.
  const second = async () => {
    const left = Number(await night.shown('left'));
    await expect.poll(async () => Number(await night.shown('left')), { timeout: 20_000 }).toBeLessThan(left - 1);
  };
  const stood = await night.person('player');
  await page.keyboard.press('p');
  await page.keyboard.down('d');
  await second();
  await page.keyboard.up('d');
  const stands = await night.person('player');
  // What is shown may be a tenth of a second old.
  expect(Math.hypot(Number(stands.x) - Number(stood.x), Number(stands.y) - Number(stood.y))).toBeLessThan(12);
  await page.keyboard.press('t');
  await second();
  expect(await page.locator('.chat').isVisible()).toBe(false);
  expect(await night.shown('scene')).toBe('hud');

  // By keys alone: the first stop is to refuse.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.answer)).toBe('refuse');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await first;
  await gone();

  // It waits for who types, and goes when the agent thinks better of it.
  await page.keyboard.press('Enter');
  await page.locator('.chat input').waitFor();
  const over = new AbortController();
  const given = mira.call('say', { text: 'Never mind.' }, { signal: over.signal });
  given.catch(() => undefined);
  await dialog().waitFor();
  await page.keyboard.type('hello');
  expect(await page.locator('.chat input').inputValue()).toBe('hello');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await night.person('player')).says).toBe('hello');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('approval');
  over.abort();
  await expect(given).rejects.toMatchObject({ code: 'execution_failed' });
  await gone();

  // One at a time; what is allowed for the session is not asked again.
  const both = [mira.call('say', { text: 'One.' }), mira.call('say', { text: 'Two.' })];
  await asked();
  expect(await input()).toContain('One.');
  await button('Allow for this session').click();
  await Promise.allSettled(both);
  await mira.call('say', { text: 'Three.' });
  await expect.poll(() => night.person('mira')).toMatchObject({ says: 'Three.' });
  expect(await dialog().isVisible()).toBe(false);
  expect(night.problems).toEqual([]);
});

test('T12: at the deadline the session closes, what waits is answered, and the dialog goes', async () => {
  await startNight();
  const mira = await drive(await makeOffer('--approve', 'say', '--minutes', '0.25'));
  const walking = mira.call('move_to', { target: 'player' });
  const waiting = mira.call('say', { text: 'Too late.' });
  const settled = Promise.allSettled([walking, waiting]);
  await dialog().waitFor();
  expect(await mira.closed).toMatchObject({ code: 1000, reason: "expired: the contract's deadline is reached" });
  const [, said] = await settled;
  expect(said).toMatchObject({ status: 'rejected', reason: { code: 'execution_failed', message: expect.stringContaining('deadline') } });
  await gone();
  await expect.poll(() => night.person('mira')).toMatchObject({ driver: 'builtin' });
});
