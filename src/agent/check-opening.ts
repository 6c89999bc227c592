import { checkOptions, type OptionKind } from '../base/check-options.ts';
import { LIMITS } from '../protocol/index.ts';
import type { OpeningOptions } from './open-session.ts';

/** Every option of an opening; the type keeps the list whole. */
const OPENING: Record<keyof OpeningOptions, OptionKind> = {
  world: 'string',
  character: 'string',
  model: 'string|object',
  subscribe: 'list',
  token: 'string',
  offer: 'object',
  waitMs: 'number',
  observe: 'boolean',
  spectate: 'boolean',
  reconnect: 'boolean',
  timeoutMs: 'positive',
  signal: 'object',
};

/**
 * Checks what plain JavaScript can get wrong before anything is dialled.
 * @param where the call as its caller writes it: `connect(options)`
 * @param places the options beside those of every opening
 * @throws {TypeError} that names the option and what it takes
 */
export function checkOpening(where: string, options: OpeningOptions, places: Readonly<Record<string, OptionKind>>): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${where}: options must say where to, like { url: 'wss://relay.example/agent' }`);
  checkOptions(where, options, { ...places, ...OPENING });
  const { offer, spectate, waitMs = 0 } = options;
  if (waitMs > LIMITS.maxWaitMs) throw new TypeError(`${where}: waitMs must be at most ${LIMITS.maxWaitMs} milliseconds, not ${waitMs}`);
  if (spectate === true && offer !== undefined)
    throw new TypeError(`${where}: an offer is for driving and spectate for watching; give one of them`);
}
