import type { Brief } from '../../contract/node.ts';

/** Says which character an OpenClasp agent drives. */
export interface AgentPlace {
  /** The world's name. Default: the only world that has the character. */
  world?: string | undefined;
  /** The character's id. Default: the world's default character. */
  character?: string | undefined;
}

/** What an operator is asked about an offer whose brief challenges it (T7). */
export interface Challenge {
  /** The offer's id. */
  offerId: string;
  /** The agent that the offer is made to. */
  agentId: string;
  /** The agent that would drive. */
  counterparty: string;
  /** The brief that comes with the offer, with its decision and its requirements. */
  brief: Brief;
}

/** Session offers: who may drive a character, and within which contract. */
export interface OpenClaspOptions {
  /** The registry of keys, a JSON file (`{"keys": […], "platform"?: {"publicKey"}}`); read again when it changes. Default: no keys. */
  trustFile?: string | undefined;
  /** The platform's public key. Default: the registry's. */
  platformKey?: string | undefined;
  /** The platform's address, from which its key is fetched once when it is not known. */
  platformUrl?: string | undefined;
  /** OpenClasp agent id → which character it is. An id that is not here is the character, or world, of that name. */
  agents?: Readonly<Record<string, AgentPlace>> | undefined;
  /** Characters that nobody drives from outside without an offer. */
  requireOffer?: readonly string[] | undefined;
  /** What happens to an offer whose brief says CHALLENGE. Default `decline`. */
  onChallenge?: 'ask' | 'decline' | 'accept' | undefined;
  /** Asks the operator, for `onChallenge: 'ask'`. Default: nobody is there, so it is declined. */
  askOperator?: ((challenge: Challenge, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Every party must have signed the contract. Default false. */
  requirePartySignatures?: boolean | undefined;
  /** Where agents outside reach this relay, for the platform to pass on: `wss://relay.example/agent`. Default: its own address. */
  publicUrl?: string | undefined;
  /** A folder for the offers that a restart must not forget and for the audit log. Default: none is kept. */
  stateDir?: string | undefined;
  /** Told of what an operator should know, one sentence each. Default: nobody. */
  log?: ((sentence: string) => void) | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}
