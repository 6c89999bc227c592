// @ts-check
import { parseArgs } from 'node:util';

export const DEFAULT_PORT = 4750;
const DEFAULT_TCP_PORT = 4751;
const DEFAULT_AICONTROL_PORT = 43011;

export const USAGE = `Usage: npm start -- [options]

Plays Lantern Night in your browser and lets agents in through a relay on this machine.

  --port N       the page's port, and the agents' over WebSocket (default ${DEFAULT_PORT}; 0 takes a free one)
  --tcp-port N   the agents' port over TCP (default ${DEFAULT_TCP_PORT}; 0 takes a free one)
  --aicontrol    lets AiControl clients drive Mira, on this machine alone
  --aicontrol-port N  the same at another port (default ${DEFAULT_AICONTROL_PORT}; 0 takes a free one)
  --aicontrol-token-env NAME  the environment variable with the token that AiControl clients must know
  --trust FILE   takes session offers; in FILE are the keys that count (see docs/contracts.md)
  --require-offer CHARACTER  lets nobody drive it without an offer; may be repeated
  --state DIR    where offers and their log are kept (default .cache/offers)
  --no-open      opens no browser
  --help         shows this
`;

/**
 * @typedef {{ trust: string, requireOffer: string[], state: string | undefined }} OfferOptions
 * @typedef {{ help: boolean, open: boolean, port: number, tcpPort: number, aicontrolPort: number | undefined, aicontrolToken: string | undefined, offers: OfferOptions | undefined }} StartOptions
 *
 * What the command line asks for, or in `problem` what is wrong with it, in one line.
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {StartOptions | { problem: string }}
 */
export function readOptions(argv, env = process.env) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        port: { type: 'string', default: String(DEFAULT_PORT) },
        'tcp-port': { type: 'string', default: String(DEFAULT_TCP_PORT) },
        aicontrol: { type: 'boolean', default: false },
        'aicontrol-port': { type: 'string' },
        'aicontrol-token-env': { type: 'string' },
        trust: { type: 'string' },
        'require-offer': { type: 'string', multiple: true },
        state: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return {
      help: values.help,
      open: !values['no-open'],
      port: portNumber('--port', values.port),
      tcpPort: portNumber('--tcp-port', values['tcp-port']),
      aicontrolPort: aiControlPort(values),
      aicontrolToken: aiControlToken(values, env),
      offers: offers(values),
    };
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split(/\. |\n/);
    return { problem: `${sentence} (see npm start -- --help)` };
  }
}

/** @param {{ aicontrol: boolean, 'aicontrol-port'?: string }} values */
function aiControlPort({ aicontrol, 'aicontrol-port': port }) {
  if (port !== undefined) return portNumber('--aicontrol-port', port);
  return aicontrol ? DEFAULT_AICONTROL_PORT : undefined;
}

/**
 * A token never stands on a command line, where every process of the machine can read it: its environment variable does.
 * @param {{ aicontrol: boolean, 'aicontrol-port'?: string, 'aicontrol-token-env'?: string }} values
 * @param {NodeJS.ProcessEnv} env
 */
function aiControlToken({ 'aicontrol-token-env': name, ...values }, env) {
  if (name === undefined) return undefined;
  if (aiControlPort(values) === undefined) throw new Error('--aicontrol-token-env needs --aicontrol, whose clients must know the token');
  // Not named: whoever gave the token itself would see it in the terminal's log.
  if (!env[name]) throw new Error(`the environment variable of --aicontrol-token-env is ${env[name] === undefined ? 'not set' : 'empty'}`);
  return env[name];
}

/**
 * @param {{ trust?: string, 'require-offer'?: string[], state?: string }} values
 * @returns {OfferOptions | undefined}
 */
function offers({ trust, 'require-offer': requireOffer = [], state }) {
  if (trust !== undefined) return { trust, requireOffer, state };
  if (requireOffer.length > 0 || state !== undefined) throw new Error('--require-offer and --state need --trust, the keys that count');
  return undefined;
}

/**
 * @param {string} flag
 * @param {string} text
 */
function portNumber(flag, text) {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${flag} takes a number from 0 to 65535, not '${text}'`);
  return Number(text);
}
