import { type Backoff, backoffMs } from '../base/backoff.ts';
import { wallClock } from '../base/clock.ts';
import { CLOSE_CODES, LIMITS } from '../protocol/index.ts';
import type { ChannelEnd } from '../transport/index.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { isFinal } from './come-back.ts';
import { CallError, ConnectError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import type { OpeningOptions } from './open-session.ts';
import { pause } from './pause.ts';
import type { Session } from './session.ts';

/**
 * What is done with each new session, at once. It may return before the session ends: the session goes on, and so do its listeners.
 * @typeParam C the character's tools, for the compiler: see `Session`
 */
export type Play<C = AnyCatalogue> = (session: Session<C>) => unknown;

/** As for `connect`, but for a `channel`, which cannot be made anew. `waitMs` is 60,000 unless said. */
export type DriveOptions<Options> = (Options extends unknown ? Omit<Options, 'channel' | 'signal'> : never) & {
  /** Aborting ends the session in good order, and the driving with it: `drive` resolves. */
  signal?: AbortSignal;
  /** Told why there is no session now, once for each reason in a row. */
  log?(message: string): void;
};

const RETRY: Backoff = { firstMs: 500, mostMs: 5_000 };

/** How long after a failed call its session's end may come. */
const END_MS = 500;

const STOPPED: ChannelEnd = { code: CLOSE_CODES.normal, reason: 'the agent was stopped' };

/** Why there is no session any more, or none yet. `again`: another may do. */
interface Outcome {
  again: boolean;
  end: ChannelEnd;
}

/** The loop of `drive`, by one of the two ways to connect. */
export async function driveBy<Options extends OpeningOptions, C>(
  connect: (options: Options) => Promise<Session<C>>,
  given: DriveOptions<Options> | undefined,
  play: Play<C>,
): Promise<ChannelEnd> {
  const { log, signal, ...rest } = given ?? ({} as DriveOptions<Options>);
  if (typeof play !== 'function') throw new TypeError('drive(options, play): play must be a function that takes the session');
  if ('channel' in rest) throw new TypeError('drive({ channel }): a channel cannot be made anew; give url or port');
  const stopping = new AbortController();
  const options = { ...withPatience(rest), signal: stopping.signal } as unknown as Options;
  const stopListening = onAbort(signal, () => stopping.abort());
  if (signal?.aborted) stopping.abort();
  let mistake: { thrown: unknown } | undefined;
  let isDone = false;
  const onMistake = (thrown: unknown) => {
    // Nobody waits for it any more, but it is not to be lost.
    if (isDone) throw thrown;
    mistake ??= { thrown };
    stopping.abort();
  };
  try {
    const end = await keepOn(() => oneSession(connect, options, play, stopping.signal, onMistake), stopping.signal, log);
    if (mistake !== undefined) throw mistake.thrown;
    return end;
  } finally {
    isDone = true;
    stopListening();
  }
}

/** Waits at the relay for a character that is not there, so that it is driven as soon as it is. A URL's query says all there is to say. */
function withPatience<Options extends object>(options: Options): Options {
  const url = (options as { url?: unknown }).url;
  return typeof url === 'string' && url.includes('?') ? options : { waitMs: LIMITS.maxWaitMs, ...options };
}

async function keepOn(driven: () => Promise<Outcome>, signal: AbortSignal, log?: (message: string) => void): Promise<ChannelEnd> {
  let told = '';
  for (let failures = 0; !signal.aborted; failures++) {
    const begunAt = wallClock.wallNow();
    const { again, end } = await driven();
    if (!again) return end;
    if (!signal.aborted && end.reason !== told) log?.(end.reason);
    told = end.reason;
    // Who has driven, or waited, for a while does not hammer at the door.
    if (wallClock.wallNow() - begunAt >= RETRY.mostMs) failures = 0;
    await pause(backoffMs(RETRY, failures), signal).catch(() => {});
  }
  return STOPPED;
}

/** @throws by rejecting, what trying again cannot mend */
async function oneSession<Options extends OpeningOptions, C>(
  connect: (options: Options) => Promise<Session<C>>,
  options: Options,
  play: Play<C>,
  signal: AbortSignal,
  onMistake: (thrown: unknown) => void,
): Promise<Outcome> {
  let session: Session<C>;
  try {
    session = await connect(options);
  } catch (error) {
    if (signal.aborted) return { again: false, end: STOPPED };
    if (error instanceof ConnectError && error.retryable)
      return { again: true, end: { code: CLOSE_CODES.abnormal, reason: error.message } };
    throw error;
  }
  let isOver = false;
  /** Why this session is given up for another. */
  let failure: string | undefined;
  session.on('close', () => {
    isOver = true;
  });
  const stopListening = onAbort(signal, () => void session.close(STOPPED.reason));
  const playing = (async () => play(session))().catch(async (thrown) => {
    // A call that the session's end cut short says no more than that end, which may come right behind it (AICC C7).
    if (isOfCall(thrown) && !isOver) await Promise.race([session.closed, new Promise((resolve) => setTimeout(resolve, END_MS))]);
    if (isOfCall(thrown) && isOver) return;
    if (!isOver && thrown instanceof CallError && thrown.retryable) failure = `${thrown.tool}: ${thrown.message}`;
    else onMistake(thrown);
    void session.close('the agent failed');
  });
  const end = await session.closed;
  stopListening();
  if (failure !== undefined) return { again: true, end: { code: end.code, reason: failure } };
  const again = !isFinal(end) || end.code === CLOSE_CODES.overForNow;
  // What play says last, when it closed the session itself, counts.
  if (!again) await Promise.race([playing, new Promise((resolve) => setTimeout(resolve, 0))]);
  const reason = again ? `the session is over (${end.code}${end.reason && `, ${end.reason}`})` : end.reason;
  return { again, end: { code: end.code, reason } };
}

function isOfCall(thrown: unknown): boolean {
  return thrown instanceof CallError || (thrown instanceof Error && thrown.cause !== undefined && isOfCall(thrown.cause));
}
