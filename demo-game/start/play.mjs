// @ts-check
import { pathToFileURL } from 'node:url';
import { stopChildren } from './child.mjs';
import { makeReady } from './make-ready.mjs';
import { canShowBrowser, openBrowser } from './open-browser.mjs';
import { DEFAULT_PORT, readOptions, USAGE } from './options.mjs';
import { below } from './paths.mjs';

/** Longer than this nobody waits for connections to say goodbye. */
const CLOSING_MS = 2_000;

/** @typedef {{ url: string, agentUrl: string, port: number, tcpPort: number, aicontrolPort: number | undefined, close(): Promise<void> }} Relay */

/**
 * Progress and help go to stderr; stdout carries the ready line alone.
 * @param {string} text
 */
const say = (text) => process.stderr.write(`${text}\n`);

/**
 * Makes the game ready, serves it together with the relay, and stays until Ctrl-C.
 * @param {string[]} argv
 */
export async function play(argv) {
  const options = readOptions(argv);
  if ('problem' in options) {
    say(options.problem);
    process.exit(2);
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }

  /** @type {Relay | undefined} */
  let relay;
  let ending = false;
  const end = async () => {
    // npm passes Ctrl-C on to a process that the terminal has already told.
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), CLOSING_MS);
    stopChildren();
    await relay?.close();
    process.exit(0);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, end);

  try {
    await makeReady('all', say);
    relay = await startRelay(options);
  } catch (error) {
    if (ending) return;
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }

  announce(relay);
  if (options.open && canShowBrowser(process.env, process.platform)) openBrowser(relay.url);
}

/**
 * @param {import('./options.mjs').StartOptions} options
 * @returns {Promise<Relay>}
 */
async function startRelay({ port, tcpPort, aicontrolPort, aicontrolToken, offers }) {
  const library = await import(pathToFileURL(below('dist', 'relay.js')).href);
  const aicontrol = aicontrolPort === undefined ? undefined : { character: 'mira', port: aicontrolPort, token: aicontrolToken };
  const openclasp = offers && {
    trustFile: offers.trust,
    // By name, so that an offer may come before the game is open.
    agents: Object.fromEntries(['mira', 'old_tam'].map((character) => [character, { world: 'lantern_night', character }])),
    requireOffer: offers.requireOffer,
    stateDir: offers.state ?? below('.cache', 'offers'),
    log: say,
  };
  return library.startRelay({ port, tcpPort, aicontrol, openclasp, staticDir: below('dist-demo'), log });
}

/** @param {string} text who comes and goes */
const log = (text) => console.error(`${new Date().toTimeString().slice(0, 8)} ${text}`);

/** @param {Relay} relay */
function announce({ url, agentUrl, port, tcpPort, aicontrolPort }) {
  const command = process.platform === 'win32' ? 'node dist/cli.js play' : 'npx phaser-aicc play';
  say(`
Lantern Night is on: ${url}
Mira comes along by herself. To let a program of yours drive her, connect it to
  ${agentUrl}  or by TCP to  127.0.0.1 ${tcpPort}${aicontrolPort === undefined ? '' : `\n  or, if it speaks AiControl, to  127.0.0.1 ${aicontrolPort}`}
To drive her by hand, open the page, press Play, and in another terminal here:
  ${command}${port === DEFAULT_PORT ? '' : ` --url ${agentUrl}`}
Ctrl-C ends it.
`);
  process.stdout.write(
    `AICC_READY ${JSON.stringify({ url, agent: agentUrl, tcp: tcpPort, aicontrol: aicontrolPort, pid: process.pid })}\n`,
  );
}
