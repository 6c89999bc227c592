import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { answer, SECURITY_HEADERS } from './answers.ts';
import { type GuardOptions, refusedByGuard } from './guard.ts';
import { bearerToken } from './http-token.ts';
import { readBody } from './read-body.ts';
import type { Route } from './relay-door.ts';
import type { Tokens } from './tokens.ts';

export interface RoutesOptions {
  guard: GuardOptions;
  tokens: Tokens;
  clock: Clock;
}

const NOTHING = Buffer.alloc(0);

/** Ordinary HTTP: finds the route of a request, and lets it answer when the request has passed everything that the route declares (H6, H7). */
export function handleRequests(routes: readonly Route[], options: RoutesOptions): RequestListener {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const path = (request.url ?? '').split('?', 1)[0] as string;
    handle(request, response, byPath.get(path) ?? byPath.get('*'), options).catch(() => {
      if (!response.headersSent) answer(request, response, 500, 'The relay failed to answer.');
      else response.destroy();
    });
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route | undefined,
  { clock, guard, tokens }: RoutesOptions,
): Promise<void> {
  const refusal = refusedByGuard(request, guard);
  if (refusal !== undefined) return answer(request, response, 403, refusal, { Connection: 'close' });
  if (route === undefined) return answer(request, response, 404, 'There is nothing here.');
  const { bodyBytes, methods } = route;
  if (!methods.some((method) => method === request.method)) {
    const only = `Only ${methods.join(' and ')} ${methods.length === 1 ? 'is' : 'are'} answered here.`;
    return answer(request, response, 405, only, { Allow: methods.join(', '), Connection: 'close' });
  }
  const principal = tokens.agent(bearerToken(request));
  if (route.token === 'agent' && principal === undefined) {
    const closing = bodyBytes > 0 && { Connection: 'close' };
    return answer(request, response, 401, 'unauthorized', { 'WWW-Authenticate': 'Bearer', ...closing });
  }
  const body = bodyBytes > 0 ? await readBody(request, bodyBytes, clock) : NOTHING;
  if (Buffer.isBuffer(body)) return route.handle({ request, response, principal, body });
  const { error, reason, status } = body;
  answer(request, response, status, { error, reason }, { Connection: 'close' });
}
