import { ConnectError, type ConnectOptions, connect, type Session } from '../../agent/node.ts';
import { socketFailure } from '../../agent/socket-failure.ts';
import { DEFAULT_URLS } from '../../protocol/default-addresses.ts';
import { type CharacterInfo, LIMITS, MODEL_CLASSES, type ModelClass, type Topic } from '../../protocol/index.ts';
import { type Address, readAddress } from './address.ts';
import type { Given } from './command.ts';
import { type Io, UsageError } from './io.ts';
import { readOfferFile } from './offer-file.ts';
import { readText } from './secret-files.ts';

/** Options of every command that talks to a relay. */
export const REACH_OPTIONS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Options of every command that drives a character. */
export const DRIVE_OPTIONS = {
  ...REACH_OPTIONS,
  world: { type: 'string' },
  character: { type: 'string' },
  model: { type: 'string' },
  offer: { type: 'string' },
  wait: { type: 'string' },
} as const;

/** How long the relay may take to answer. */
const ANSWER_MS = 10_000;

export const TIMEOUT_HELP = `  --timeout SECONDS  give up when the relay has not answered within so long, default ${ANSWER_MS / 1_000}`;

/** The help of the options of `REACH_OPTIONS` but `--timeout`, which not every command means in the same way. */
export const REACH_HELP = `  --url URL          the relay: http://…, ws://…/agent or tcp://HOST:PORT
                     (default: AICC_URL or ${DEFAULT_URLS.agent})
  --token-file FILE  a file with the token (default: AICC_TOKEN)
  --json             for machines`;

export const DRIVE_HELP = `  --world NAME       default: the only one there is
  --character ID     default: the one the game marks as default
  --model CLASS      ${MODEL_CLASSES.join(', ')}
  --offer FILE       the session offer to drive under; the token proves who presents it
  --wait SECONDS     wait so long for a character that is not there yet
${REACH_HELP}`;

/** @throws {UsageError} */
function addressOf(given: Given, io: Io): Address {
  return readAddress(given.text('url') ?? (io.env.AICC_URL || DEFAULT_URLS.agent));
}

/** @throws {UsageError} for a file that cannot be read */
export async function tokenOf(given: Given, io: Io): Promise<string | undefined> {
  const file = given.text('token-file');
  if (file === undefined) return io.env.AICC_TOKEN || undefined;
  try {
    return (await readText(file)).trim();
  } catch (error) {
    throw new UsageError(`--token-file cannot be read: ${(error as Error).message}`);
  }
}

/** `--timeout` of every command that needs an answer and no more. @throws {UsageError} */
export const answerTime = (given: Given): number => given.milliseconds('timeout', 86_400, 0.001) ?? ANSWER_MS;

/**
 * Opens the session that the options describe.
 * @param how `timeoutMs`: for all of it. Default: `--timeout`, beside what `--wait` allows; `spectate`: to watch, without an offer to drive under
 * @throws {UsageError} {ConnectError}
 */
export async function openFrom(
  given: Given,
  io: Io,
  subscribe: readonly Topic[],
  how: { timeoutMs?: number; spectate?: boolean } = {},
): Promise<Session> {
  const { connect: where } = addressOf(given, io);
  const model = given.text('model');
  if (model !== undefined && !MODEL_CLASSES.some((each) => each === model)) {
    throw new UsageError(`--model must be one of ${MODEL_CLASSES.join(', ')}, not "${model}"`);
  }
  const offer = given.text('offer');
  const waitMs = given.milliseconds('wait', LIMITS.maxWaitMs / 1000);
  const options = {
    ...where,
    world: given.text('world'),
    character: given.text('character'),
    model: model as ModelClass | undefined,
    waitMs,
    timeoutMs: how.timeoutMs ?? answerTime(given) + (waitMs ?? 0),
    spectate: how.spectate === true && offer === undefined ? true : undefined,
    token: await tokenOf(given, io),
    offer: offer === undefined ? undefined : await readOfferFile(offer),
    subscribe,
    signal: io.interrupted,
  };
  try {
    return await connect(withoutUndefined(options));
  } catch (error) {
    if (error instanceof ConnectError && /^Several worlds/.test(error.message))
      throw new ConnectError({ code: error.code, message: `${error.message} Say which with --world.`, retryable: error.retryable });
    throw error;
  }
}

/** Says so when the session's connection is lost, and when it is back: meanwhile calls wait, and no event comes. */
export function tellOfLosses(session: Session, tell: (text: string) => void): void {
  session.on('lost', () => tell('connection lost, trying again …'));
  session.on('resumed', () => tell('connected again, the session goes on'));
}

/** One entry of the relay's list of worlds. */
export interface WorldEntry {
  world: string;
  kind: string;
  characters: CharacterInfo[];
}

/** The relay cannot be reached (yet). */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/**
 * Asks the relay which worlds there are.
 * @throws {UsageError} {UnreachableError} {Error} when the relay refuses
 */
export async function fetchWorlds(given: Given, io: Io, timeoutMs: number): Promise<WorldEntry[]> {
  const { http } = addressOf(given, io);
  if (http === undefined) throw new UsageError('the list of worlds comes over HTTP: give the relay’s http:// or ws:// address as --url');
  const token = await tokenOf(given, io);
  const url = new URL('worlds', http);
  const late = AbortSignal.timeout(Math.ceil(timeoutMs));
  let response: Response | undefined;
  let text: string;
  try {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    response = await fetch(url, { headers, signal: AbortSignal.any([io.interrupted, late]) });
    text = await response.text();
  } catch (error) {
    if (io.interrupted.aborted) throw error;
    const silent = response === undefined ? 'does not answer' : 'has begun an answer and does not end it';
    if (late.aborted) throw new UnreachableError(`${url.href} ${silent}: nothing came within ${timeoutMs / 1_000} s`);
    const { cause } = error as Error;
    throw new UnreachableError(`cannot reach a relay at ${http.href}: ${socketFailure(cause instanceof Error ? cause : (error as Error))}`);
  }
  if (response.status === 401) throw new Error('unauthorized: the token (AICC_TOKEN or --token-file) is missing or not valid here');
  if (response.status >= 500) throw new UnreachableError(`${url.href} answers HTTP ${response.status}`);
  const list = response.ok ? readWorlds(text) : undefined;
  if (list === undefined)
    throw new Error(`${url.href} answers HTTP ${response.status}, but no list of worlds: is --url a relay's address?`);
  return list;
}

function readWorlds(text: string): WorldEntry[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => Array.isArray(each?.characters)) ? list : undefined;
  } catch {
    return undefined;
  }
}

function withoutUndefined(options: { [K in keyof ConnectOptions]?: ConnectOptions[K] | undefined }): ConnectOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
