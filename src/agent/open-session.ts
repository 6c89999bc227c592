import {
  type JsonObject,
  LIMITS,
  type ModelClass,
  type ModelDeclaration,
  type SessionInit,
  type Topic,
  type WireError,
} from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { AgentSession } from './agent-session.ts';
import { readBridgeMessage } from './envelope.ts';
import { ConnectError, unauthorized } from './errors.ts';
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
  /** Wait so long for a character that is not there yet, in milliseconds of wall time, at most 60,000. Default: do not wait. */
  waitMs?: number;
  /** Every result carries the newest snapshot, so `session.snapshot` is fresh after each call. Default false. */
  observe?: boolean;
  /** Aborting gives up the opening; it has no effect on an open session. */
  signal?: AbortSignal;
}

/** The connect line (AICC B1). A token is in it only where the transport has no better place. */
export function connectLine(options: OpeningOptions, token?: string): { connect: JsonObject } {
  const { world, character, model, subscribe, waitMs, observe } = options;
  const connect = {
    world,
    character,
    agent_model: typeof model === 'string' ? { class: model } : model,
    event_subscriptions: subscribe,
    token,
    observe,
    wait_ms: waitMs,
  };
  return { connect: JSON.parse(JSON.stringify(connect)) };
}

/**
 * Brings a channel to an open session.
 * @param line what to say first; undefined: nothing, the other end has been told another way what is wanted
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts. The channel is closed then.
 */
export function openSession(channel: Channel, line: { connect: JsonObject } | undefined, options: OpeningOptions): Promise<Session> {
  const { signal, waitMs = 0 } = options;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      stop();
      channel.onMessage(() => {});
      channel.onClose(() => {});
      channel.close(1000, 'no session');
      reject(error);
    };
    const onAbort = () => fail(signal?.reason);
    // AICC B3: a bridge gives up by itself then; this is for what answers nothing at all. A second more, to hear why.
    const patience = waitMs + LIMITS.openDeadlineMs + 1_000;
    const timer = setTimeout(() => fail(unreachable(`no session within ${patience} ms`)), patience);
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);

    channel.onFault((fault) => fail(unreachable(`the other end sent something unreadable: ${fault.message}`)));
    channel.onClose((end) => fail(ended(end)));
    // Last, because what has come already is handed over at once, and an open session sets listeners of its own.
    channel.onMessage((text) => {
      const message = readBridgeMessage(text);
      if (message instanceof Error) fail(unreachable(message.message));
      else if (message.type === 'error') fail(refused(message.error));
      else if (message.type === 'session_init') {
        stop();
        resolve(new AgentSession(channel, message satisfies SessionInit));
      }
    });
    if (line !== undefined) channel.send(JSON.stringify(line));
  });
}

export function unreachable(message: string, options?: ErrorOptions): ConnectError {
  return new ConnectError({ code: 'unreachable', message, retryable: true }, options);
}

function refused(error: WireError): ConnectError {
  return error.message === 'unauthorized' ? unauthorized() : new ConnectError(error);
}

function ended({ code, reason }: ChannelEnd): ConnectError {
  return code === 4401 ? unauthorized() : unreachable(`the connection ended before a session was open (${code}${reason && `, ${reason}`})`);
}
