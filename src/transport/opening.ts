import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { type AgentMessage, AiccError, type ConnectRequest, LIMITS, NIL_UUID } from '../protocol/index.ts';
import type { Opener, Principal, WorldRequest } from './opener.ts';

export const NO_OFFERS = 'Session offers are not taken here: connect without session_offer.';
export const NO_WATCHING = 'A session offer is for driving: connect without spectate, or without the offer and its token.';
export const ONLY_WATCHING = 'This token may only watch: connect with "spectate": true.';
export const TOO_MANY_OPENINGS = `At most ${LIMITS.manifestRequestsPerSecond} openings a second: wait and try again.`;
export const CROWDED = 'Too many connections wait for a session: try again.';
export const NO_SESSION =
  'No session is open on this connection: open one with a connect line, or a manifest_request with the nil session id.';

/** B3: a schema-only agent's way to ask for the default character. */
export const asksForSession = ({ type, session_id }: AgentMessage): boolean => type === 'manifest_request' && session_id === NIL_UUID;

/** One try; an opener that throws is answered like one that fails. */
export async function openOnce(opener: Opener, request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> {
  try {
    return await opener.open(request, port);
  } catch {
    return { error: new AiccError('internal_error', 'The game failed to open a session.'), absent: false };
  }
}

type TakeOffer = (line: string, token: string | undefined) => Promise<Principal | AiccError>;

/** The same for an offer. */
export async function takeOnce(takeOffer: TakeOffer, line: string, token: string | undefined): Promise<Principal | AiccError> {
  try {
    return await takeOffer(line, token);
  } catch {
    return new AiccError('internal_error', 'The session offer could not be taken.');
  }
}

/** What a connect line asks for and who asks, as an opener takes it. An offer's world is not to be chosen. */
export function toRequest(connect: ConnectRequest, principal: Principal): WorldRequest {
  const { token: _token, session_offer: _offer, wait_ms: _wait, ...wanted } = connect;
  const { name, capabilities, character, characters, contract, presenter, spectates, world } = principal;
  return {
    ...(character !== undefined && { character }),
    ...wanted,
    ...(world !== undefined && { world }),
    // A resume does not say what it takes up.
    ...(spectates && { spectate: true }),
    principal: name,
    ...(capabilities && { capabilities }),
    ...(characters && { characters }),
    ...(contract && { contract }),
    ...(presenter !== undefined && { presenter }),
  };
}
