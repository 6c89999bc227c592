import { LIMITS } from '../protocol/index.ts';
import type { OpeningOptions } from './open-session.ts';

type Checked = Record<keyof OpeningOptions, true>;

/** Every option of an opening; the type keeps the list whole. */
const OPENING: Checked = {
  world: true,
  character: true,
  model: true,
  subscribe: true,
  token: true,
  offer: true,
  waitMs: true,
  observe: true,
  spectate: true,
  reconnect: true,
  timeoutMs: true,
  signal: true,
};

/**
 * Checks what plain JavaScript can get wrong before anything is dialled.
 * @param places the options beside those of every opening
 * @throws {TypeError} that names the option and what it takes
 */
export function checkOptions(who: string, options: OpeningOptions, places: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${who}(options): options must say where to, like { url: 'wss://…/agent' }`);
  const known = [...places, ...Object.keys(OPENING)];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${who}({ ${unknown} }): there is no such option; there are ${known.join(', ')}`);
  const { offer, spectate, timeoutMs, waitMs } = options;
  if (waitMs !== undefined && !(waitMs >= 0 && waitMs <= LIMITS.maxWaitMs))
    throw new TypeError(`${who}({ waitMs: ${waitMs} }): waitMs must be milliseconds from 0 to ${LIMITS.maxWaitMs}`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new TypeError(`${who}({ timeoutMs: ${timeoutMs} }): timeoutMs must be more than 0`);
  if (spectate === true && offer !== undefined)
    throw new TypeError(`${who}({ spectate, offer }): an offer is for driving; give one of them`);
}
