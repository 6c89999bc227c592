import type { JsonObject } from '../../base/json.ts';
import { type Contract, termsOf } from '../../contract/node.ts';
import type { GameConnection } from '../game-connection.ts';
import type { InteractionKeeper, Worlds } from '../worlds.ts';
import type { Interaction, Interactions } from './interactions.ts';
import type { AgentPlace } from './options.ts';

export interface GamesOptions {
  interactions: Interactions;
  worlds: Worlds;
  /** Where agents are served by the operator's word. */
  agents: Readonly<Record<string, AgentPlace>>;
  /** An interaction is over by its own terms; `reason` as T12 and T13 write it. */
  over(interaction: Interaction, reason: string): void;
  sessionOver(sessionId: string): void;
  /** Sessions of an interaction that must not go on, by their ids, each with why. */
  revoked(interactionId: string): ReadonlyMap<string, string>;
}

/** Tells games which contracts are in force for their characters, and hears from them when one is over, whoever is there (OpenClasp T12, T13). */
export class Games implements InteractionKeeper {
  readonly #options: GamesOptions;

  constructor(options: GamesOptions) {
    this.#options = options;
    options.worlds.keeper = this;
  }

  /** A game has come, or come back, or has got more characters: what went on without it may be over in it by now, or here. */
  arrived(link: GameConnection, world: string, characters: readonly string[], isNew: boolean): void {
    const { interactions, revoked } = this.#options;
    const added = new Set(characters);
    for (const interaction of interactions.all()) {
      const place = this.#placeIn(interaction, world);
      if (place === undefined || !(place.character === undefined ? isNew : added.has(place.character))) continue;
      const { ended, interactionId, started } = interaction;
      if (interactions.live(interactionId) !== undefined) announce(interaction, link);
      else if (isNew && ended !== undefined && started) link.end({ interaction: interactionId }, ended);
      for (const [sessionId, reason] of revoked(interactionId)) link.end({ session_id: sessionId }, reason);
    }
  }

  /** An offer has been accepted. */
  accepted(interaction: Interaction): void {
    for (const [world, link] of this.#options.worlds.linked()) if (this.#isItsGame(interaction, link, world)) announce(interaction, link);
  }

  /** The interaction is over for a reason that games do not know: sessions that nobody is attached to must end too. */
  end(interactionId: string, reason: string): void {
    for (const link of this.#options.worlds.linked().values()) link.end({ interaction: interactionId }, reason);
  }

  endSession(sessionId: string, reason: string): void {
    for (const link of this.#options.worlds.linked().values()) link.end({ session_id: sessionId }, reason);
  }

  interactionOver(link: GameConnection, world: string, interactionId: string, condition: string | undefined): void {
    const interaction = this.#options.interactions.live(interactionId);
    if (interaction?.offer === undefined || !this.#isItsGame(interaction, link, world)) return;
    const reason = endReason(interaction.offer.contract, condition);
    if (reason !== undefined) this.#options.over(interaction, reason);
  }

  sessionOver(sessionId: string): void {
    this.#options.sessionOver(sessionId);
  }

  /** Another game must not end what it has no part in. */
  #isItsGame(interaction: Interaction, link: GameConnection, world: string): boolean {
    const place = this.#placeIn(interaction, world);
    return place !== undefined && (place.character === undefined || link.hasHad(place.character));
  }

  /** Where the interaction's agent is in this world; undefined: elsewhere. Without the operator's word it is the character, or world, of its name. */
  #placeIn({ agentId }: Interaction, world: string): AgentPlace | undefined {
    const { agents } = this.#options;
    if (!Object.hasOwn(agents, agentId)) return agentId === world ? {} : { character: agentId };
    const place = agents[agentId] as AgentPlace;
    return place.world === undefined || place.world === world ? place : undefined;
  }
}

function announce({ from, offer, started = false }: Interaction, link: GameConnection): void {
  if (offer !== undefined) link.announce({ ...termsOf(offer, from === 'platform') } as unknown as JsonObject, started);
}

/** T13: what the contract itself says of the condition; a game cannot end it by another one. */
function endReason({ cancellationConditions, completionConditions }: Contract, condition: string | undefined): string | undefined {
  if (condition === undefined) return 'expired: its time is over';
  if (cancellationConditions.includes(condition)) return `cancelled: ${condition}`;
  return completionConditions.includes(condition) ? `completed: ${condition}` : undefined;
}
