import { type Clock, wallClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { CLOSE_CODES, type ModelClass, type ModelDeclaration, type Topic } from '../protocol/index.ts';
import type { Channel } from '../transport/index.ts';
import { AgentSession } from './agent-session.ts';
import { awaitSession } from './await-session.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { type ComeBack, comeBackBy } from './come-back.ts';
import type { Dial } from './dial.ts';
import type { Session } from './session.ts';

/** What an agent asks for when it opens a session (AICC B1). */
export interface OpeningOptions {
  /** Default: the only world there is. */
  world?: string;
  /** Default: the character that the game marked as default. */
  character?: string;
  /** What kind of model drives; the bridge paces `tick` events by it. Default `cloud_medium`. */
  model?: ModelDeclaration | ModelClass;
  /** Default: all topics but `tick`. */
  subscribe?: readonly Topic[];
  /** A secret that names the agent; needed where the relay was started with tokens. Never part of a URL. */
  token?: string;
  /** A signed session offer to drive under; `token` then proves who presents it. Not together with a query in the URL. */
  offer?: object;
  /** Wait so long for a character that is not there yet, in milliseconds of wall time, at most 60,000. Default: do not wait. */
  waitMs?: number;
  /** Every result carries the newest snapshot, so `session.snapshot` is fresh after each call. Default false. */
  observe?: boolean;
  /**
   * Connect again by itself and take the session up where it was when the connection is lost (AICC C5); calls wait meanwhile. Default true.
   * Does nothing on a `channel`: only who made it can make another.
   */
  reconnect?: boolean;
  /**
   * Watch, without driving (AICC B8): events and snapshots come, calls are refused, and no driver's place is taken. Default false.
   * Not together with `offer`.
   */
  spectate?: boolean;
  /**
   * Give up the opening after so long altogether, in milliseconds of wall time. Default: 10,000 for the connection, then `waitMs` and 11,000 for
   * the session.
   */
  timeoutMs?: number;
  /** Aborting gives up the opening; it has no effect on an open session. */
  signal?: AbortSignal;
}

/** The connect line (AICC B1). A token is in it only where the transport has no better place. */
export function connectLine(options: OpeningOptions, token?: string): { connect: JsonObject } {
  const { world, character, model, subscribe, offer, waitMs, observe, spectate } = options;
  const connect = {
    world,
    character,
    agent_model: typeof model === 'string' ? { class: model } : model,
    event_subscriptions: subscribe,
    token,
    session_offer: offer,
    observe,
    spectate,
    wait_ms: waitMs,
  };
  return { connect: JSON.parse(JSON.stringify(connect)) };
}

/**
 * Brings a channel to an open session.
 * @param where where the channel leads, for people
 * @param line what to say first; undefined: nothing, the other end has been told another way what is wanted
 * @param comeBack the way to another channel after a loss; undefined: then the session is over
 * @param clock wall time
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts. The channel is closed then.
 */
export function openSession<C = AnyCatalogue>(
  channel: Channel,
  where: string,
  line: { connect: JsonObject } | undefined,
  options: OpeningOptions,
  comeBack?: ComeBack,
  clock: Clock = wallClock,
): Promise<Session<C>> {
  const { reconnect = true, signal, timeoutMs, waitMs } = options;
  const way = reconnect ? comeBack : undefined;
  const wait = { where, signal, timeoutMs, waitMs, closeCode: CLOSE_CODES.normal };
  // What is in the catalogue is the game's word; the type is the caller's.
  return awaitSession(channel, line, wait, (init) => new AgentSession(channel, init, way, clock) as Session as unknown as Session<C>);
}

/**
 * Makes a connection and brings it to an open session.
 * @param again makes another connection after a loss. Default: `dial`
 */
export async function dialSession<C = AnyCatalogue>(
  dial: Dial,
  line: { connect: JsonObject } | undefined,
  options: OpeningOptions,
  again: Dial = dial,
): Promise<Session<C>> {
  const { signal, timeoutMs } = options;
  const begunAt = wallClock.wallNow();
  const channel = await dial(signal, timeoutMs);
  const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(1, Math.ceil(timeoutMs - (wallClock.wallNow() - begunAt))) };
  return openSession<C>(channel, dial.where, line, { ...options, ...left }, comeBackBy(again));
}
