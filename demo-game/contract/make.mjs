// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runChild } from '../start/child.mjs';
import { makeReady } from '../start/make-ready.mjs';
import { below } from '../start/paths.mjs';
import { GAME, offerArguments } from './arguments.mjs';

const USAGE = `Usage: node demo-game/contract/make.mjs [options]

Makes everything that an agent needs to drive Mira under the contract in demo-game/contract/mira.json: keys for the game and for the agent, an offer
that both have signed, and the agent's token.

  --driver ID   the agent's id (default driver-one)
  --minutes N   until the offer ends (default 60); its token lasts as long, an hour at most
  --out DIR     where the files go (default .cache/offer); keys that are there stay as they are
`;

const say = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`);

/**
 * Runs the package's own command.
 * @param {string[]} args
 */
async function aicc(args) {
  const { code, output } = await runChild(process.execPath, [below('dist', 'cli.js'), ...args]);
  if (code !== 0) throw new Error(output.trim());
  return output;
}

/** @param {{ driver: string, minutes: string, out: string }} options */
async function make({ driver, minutes, out }) {
  await makeReady('all', say);
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const file = (/** @type {string} */ name) => join(out, name);
  const keyFiles = [file('mira.key.json'), file('driver.key.json')];
  if (!existsSync(file('keys.json'))) {
    const keys = [];
    for (const [at, agent] of [GAME, driver].entries())
      keys.push(await aicc(['keys', 'new', '--agent', agent, '--out', keyFiles[at] ?? '']));
    writeFileSync(file('keys.json'), `${JSON.stringify({ keys: keys.map((key) => JSON.parse(key)) }, null, 2)}\n`);
  }
  const offer = file('offer.json');
  await aicc(offerArguments(driver, '--minutes', minutes, '--out', offer));
  for (const key of keyFiles) await aicc(['offer', 'sign', offer, '--key', key, '--out', offer]);
  const tokenMinutes = String(Math.min(60, Number(minutes)));
  const token = await aicc(['token', 'new', offer, '--key', keyFiles[1] ?? '', '--minutes', tokenMinutes]);
  writeFileSync(file('token'), token, { mode: 0o600 });
  process.stdout.write(await aicc(['offer', 'show', offer]));
  const here = relative(process.cwd(), out);
  const shown = (/** @type {string} */ name) => join(here.startsWith('..') ? out : here, name);
  say(`
The game takes this offer, and nobody drives Mira without one, when it is started by
  npm start -- --trust ${shown('keys.json')} --require-offer mira
Then, with the game open in a browser, in another terminal here:
  npx phaser-aicc play --offer ${shown('offer.json')} --token-file ${shown('token')}`);
}

try {
  const { values } = parseArgs({
    options: {
      driver: { type: 'string', default: 'driver-one' },
      minutes: { type: 'string', default: '60' },
      out: { type: 'string', default: below('.cache', 'offer') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) process.stdout.write(USAGE);
  else await make({ ...values, out: resolve(values.out) });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
