import { checkOptions, type OptionKind, shown } from '../base/check-options.ts';
import { didYouMean } from '../base/nearest.ts';
import { LIMITS, MODEL_CLASSES, TOPICS } from '../protocol/index.ts';
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
  signal: 'signal',
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
  const { model, offer, spectate, subscribe = [], waitMs = 0 } = options;
  for (const topic of subscribe) checkName(`${where}: subscribe`, topic, TOPICS);
  if (model !== undefined) checkName(`${where}: model`, typeof model === 'string' ? model : model.class, MODEL_CLASSES);
  if (waitMs > LIMITS.maxWaitMs) throw new TypeError(`${where}: waitMs must be at most ${LIMITS.maxWaitMs} milliseconds, not ${waitMs}`);
  if (spectate === true && offer !== undefined)
    throw new TypeError(`${where}: an offer is for driving and spectate for watching; give one of them`);
}

function checkName(where: string, given: unknown, names: readonly string[]): void {
  if (names.includes(given as string)) return;
  const hint = (typeof given === 'string' && didYouMean(given, names)) || `; it may be ${names.join(', ')}`;
  throw new TypeError(`${where}: there is no ${shown(given)}${hint}`);
}
