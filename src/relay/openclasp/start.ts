import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { parseStrict } from '../../contract/node.ts';
import { AiccError, type ConnectRequest } from '../../protocol/index.ts';
import { isRefusal, type Opener, type Principal } from '../../transport/index.ts';
import type { Exchange } from '../relay-door.ts';
import { RelayError } from '../relay-error.ts';
import type { Worlds } from '../worlds.ts';
import { Activations } from './activations.ts';
import { AuditLog } from './audit-log.ts';
import { OfferDesk } from './desk.ts';
import { handleControl } from './endpoint.ts';
import { Games } from './games.ts';
import { Interactions } from './interactions.ts';
import { InteractionLife } from './life.ts';
import { OfferedSessions } from './offered-sessions.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';
import type { AgentPlace, Challenge, OpenClaspOptions } from './options.ts';
import { PlatformKey } from './platform-key.ts';
import { Presenters } from './presenters.ts';
import { RetainedRecords } from './retained-records.ts';
import { checkStored } from './stored.ts';
import { Trust } from './trust.ts';
import { isWithdrawn, withdrawn } from './withdrawn.ts';

/** What the relay lends. */
export interface OpenClaspSurroundings {
  clock: Clock;
  worlds: Worlds;
  /** Where agents connect by WebSocket; asked when the relay listens. */
  agentUrl(): string;
  newId(): string;
}

/** Session offers at one relay. */
export interface OpenClasp {
  /** `POST /openclasp` (T5). */
  handle(exchange: Exchange): Promise<void>;
  /** Whether a token is one for an offer, not one of the relay's own. */
  isOurs(token: string | undefined): token is string;
  /** Whether such a token is good for a socket; what it opens is decided later. */
  mayKnock(token: string): boolean;
  /** Who comes with such a token alone (T8). */
  present(token: string): Principal | undefined;
  /** Who comes with the offer in this connect line (T6). */
  takeOffer(line: string, token: string | undefined): Promise<Principal | AiccError>;
  /** The way to the games, past what offers demand. */
  around(opener: Opener): Opener;
  close(): Promise<void>;
}

const KEY_REVOKED = 'revoked: the key that opened the session was revoked';

/**
 * Makes a relay take session offers.
 * @throws {RelayError} `bad_trust_file`, `openclasp_options`
 */
export async function startOpenClasp(options: OpenClaspOptions, surroundings: OpenClaspSurroundings): Promise<OpenClasp> {
  const { log = () => {}, now = Date.now, stateDir } = options;
  const { clock, newId, worlds } = surroundings;
  if (options.publicUrl !== undefined && !/^(wss?|https?):$/.test(protocolOf(options.publicUrl)))
    throw new RelayError('openclasp_options', `The public address ${options.publicUrl} must look like wss://relay.example/agent.`);
  const trust = await Trust.load(options.trustFile, log);
  const platformKey = new PlatformKey({ key: options.platformKey, url: options.platformUrl }, log);
  const records = stateDir === undefined ? undefined : await openRecords(stateDir, log);
  const audit = new AuditLog(stateDir && join(stateDir, 'audit.ndjson'), now, log);
  const interactions = await Interactions.load(records, now, (interaction) =>
    checkStored(interaction, { keys: trust.keys, platformKey: platformKey.known(trust.keys.platformKey) }),
  );
  const life = new InteractionLife({ interactions, audit, clock, now, newId, random: Math.random, log });
  const placeOf = (agentId: string) => find(agentId, options.agents ?? {}, worlds);
  const addressOf = (place: AgentPlace) => address(options.publicUrl ?? surroundings.agentUrl(), place);
  const desk = new OfferDesk({
    interactions,
    trust,
    audit,
    placeOf,
    addressOf,
    requirePartySignatures: options.requirePartySignatures ?? false,
    approve: (challenge) => approve(challenge, options, clock),
    accepted: (interaction) => games.accepted(interaction),
    newId,
    now,
  });
  const activations = new Activations({ interactions, trust, audit, now });
  const presenters = new Presenters({ interactions, trust, audit, placeOf, now });
  const sessions = new OfferedSessions(life, {
    required: options.requireOffer ?? [],
    characterOf: ({ character, resume, world }) => (resume === undefined ? meant(worlds, world, character) : undefined),
    whyNot(interactionId, presenter) {
      const interaction = interactions.live(interactionId);
      if (interaction === undefined) return interactions.find(interactionId)?.ended ?? 'expired: its time is over';
      return presenter !== undefined && isWithdrawn(interaction, presenter, trust.keys) ? KEY_REVOKED : undefined;
    },
  });
  sessions.begin(interactions.all());
  const games = new Games({
    interactions,
    worlds,
    agents: options.agents ?? {},
    over: (interaction, reason) => life.over(interaction, reason),
    sessionOver: (sessionId) => sessions.sessionOver(sessionId),
    revoked: (interactionId) => sessions.revoked(interactionId),
  });
  life.begin((interactionId, reason) => {
    sessions.end(interactionId, reason);
    games.end(interactionId, reason);
  });
  const endWithdrawn = () => {
    for (const { interaction, reason } of withdrawn(interactions.all(), trust.keys, now())) life.over(interaction, `revoked: ${reason}`);
    const hasLost = (interactionId: string, publicKey: string) => {
      const interaction = interactions.live(interactionId);
      return interaction !== undefined && isWithdrawn(interaction, publicKey, trust.keys);
    };
    for (const sessionId of sessions.revoke(hasLost, KEY_REVOKED)) games.endSession(sessionId, KEY_REVOKED);
  };
  endWithdrawn();
  const stopWatching = trust.watch(endWithdrawn);

  return {
    handle: (exchange) => handleControl(exchange, { desk, activations, trust, platformKey, placeOf, addressOf, now }),
    isOurs: (token) => presenters.isOurs(token),
    mayKnock: (token) => presenters.mayKnock(token),
    present(token) {
      const shown = presenters.present(token);
      return shown.ok ? shown.principal : undefined;
    },
    async takeOffer(line, token) {
      const parsed = parseStrict(line);
      if (!parsed.ok) return new AiccError('invalid_input', `schema: ${parsed.problem}`);
      const { session_offer } = (parsed.value as { connect?: ConnectRequest }).connect ?? {};
      const taken = await desk.takeLocal(JSON.stringify(session_offer ?? null), token);
      return taken.ok ? taken.principal : new AiccError('invalid_input', `${taken.step}: ${taken.reason}`);
    },
    around: (opener) => sessions.around(opener),
    async close() {
      stopWatching();
      life.close();
      await Promise.all([interactions.flushed(), audit.flushed()]);
    },
  };
}

/** T7: asks whoever decides about a challenged offer. */
async function approve(challenge: Challenge, { askOperator, onChallenge = 'decline' }: OpenClaspOptions, clock: Clock): Promise<boolean> {
  if (onChallenge !== 'ask' || askOperator === undefined) return onChallenge === 'accept';
  const question = new AbortController();
  const tooLate = new Promise<boolean>((resolve) => {
    const stop = clock.schedule(() => resolve(false), OPENCLASP_LIMITS.askMs);
    question.signal.addEventListener('abort', stop);
  });
  try {
    return (await Promise.race([askOperator(challenge, question.signal), tooLate])) === true;
  } catch {
    return false;
  } finally {
    question.abort();
  }
}

/** T7: the character, or world, of an agent that is served here. What is configured is served before its game is there. */
function find(agentId: string, agents: Readonly<Record<string, AgentPlace>>, worlds: Worlds): AgentPlace | undefined {
  if (Object.hasOwn(agents, agentId)) return agents[agentId];
  const list = worlds.list();
  if (list.some(({ characters }) => characters.some(({ id }) => id === agentId))) return { character: agentId };
  return list.some(({ world }) => world === agentId) ? { world: agentId } : undefined;
}

/** The character that a request means, as far as its game is there. */
function meant(worlds: Worlds, world: string | undefined, character: string | undefined): string | undefined {
  const link = worlds.find(world, character);
  if (isRefusal(link)) return undefined;
  return character ?? [...link.characters.values()].find((each) => each.default)?.id;
}

function address(base: string, { character, world }: AgentPlace): string {
  const url = new URL(base);
  if (world !== undefined) url.searchParams.set('world', world);
  if (character !== undefined) url.searchParams.set('character', character);
  return url.href;
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');

async function openRecords(stateDir: string, log: (sentence: string) => void): Promise<RetainedRecords> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    return await RetainedRecords.open(join(stateDir, 'offers'), log);
  } catch (error) {
    throw new RelayError('openclasp_options', `The folder ${stateDir} for offers cannot be made: ${(error as Error).message}`);
  }
}
