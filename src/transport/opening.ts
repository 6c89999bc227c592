import type { AgentHandler, AgentPort, OpenRequest, Refusal } from '../bridge/agent-port.ts';
import { type AgentMessage, AiccError, type ConnectRequest, LIMITS, NIL_UUID } from '../protocol/index.ts';
import type { Opener, Principal } from './opener.ts';

export type Request = OpenRequest & { world?: string };

export const NO_OFFERS = 'Session offers are not taken here: connect without session_offer.';
export const TOO_MANY_OPENINGS = `At most ${LIMITS.manifestRequestsPerSecond} openings a second: wait and try again.`;
export const NO_SESSION =
  'No session is open on this connection: open one with a connect line, or a manifest_request with the nil session id.';

/** B3: a schema-only agent's way to ask for the default character. */
export const asksForSession = ({ type, session_id }: AgentMessage): boolean => type === 'manifest_request' && session_id === NIL_UUID;

/** One try; an opener that throws is answered like one that fails. */
export async function openOnce(opener: Opener, request: Request, port: AgentPort): Promise<AgentHandler | Refusal> {
  try {
    return await opener.open(request, port);
  } catch {
    return { error: new AiccError('internal_error', 'The game failed to open a session.'), absent: false };
  }
}

/** What a connect line asks for and who asks, as an opener takes it. */
export function toRequest(connect: ConnectRequest, { name, capabilities, characters }: Principal): Request {
  const { token: _token, session_offer: _offer, wait_ms: _wait, ...wanted } = connect;
  return { ...wanted, principal: name, ...(capabilities && { capabilities }), ...(characters && { characters }) };
}
