import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Principal } from '../transport/index.ts';
import { answer, SECURITY_HEADERS } from './answers.ts';
import { bearerToken } from './bearer-token.ts';
import { type GuardOptions, refusedByGuard } from './guard.ts';
import { type Metric, metricsText } from './metrics.ts';
import type { StaticFiles } from './static-files.ts';
import type { Tokens } from './tokens.ts';
import type { Worlds } from './worlds.ts';

const METRICS_FORMAT = { 'Content-Type': 'text/plain;version=0.0.4;charset=utf-8' };

export interface RequestsOptions {
  guard: GuardOptions;
  tokens: Tokens;
  worlds: Worlds;
  files: StaticFiles | undefined;
  /** Where the control endpoint of session offers is, if it is anywhere (OpenClasp T5). */
  openclasp?: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  /** Agents with a session. */
  agents(): number;
  /** How the relay is. */
  metrics(): Metric[];
}

/** Ordinary HTTP: health, metrics, the list of worlds, session offers, and the files. */
export function handleRequests(options: RequestsOptions): RequestListener {
  return (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    handle(request, response, options).catch(() => {
      if (!response.headersSent) answer(request, response, 500, 'The relay failed to answer.');
      else response.destroy();
    });
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, options: RequestsOptions): Promise<void> {
  const refusal = refusedByGuard(request, options.guard);
  const path = (request.url ?? '').split('?', 1)[0];
  if (refusal !== undefined) {
    answer(request, response, 403, refusal, { Connection: 'close' });
  } else if (path === '/openclasp' && options.openclasp !== undefined) {
    await options.openclasp(request, response);
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    answer(request, response, 405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' });
  } else if (path === '/healthz') {
    answer(request, response, 200, health(request, options));
  } else if (path === '/worlds') {
    answerKnown(request, response, options, ({ characters }) => answer(request, response, 200, options.worlds.list(characters)));
  } else if (path === '/metrics') {
    answerKnown(request, response, options, () => answer(request, response, 200, metricsText(options.metrics()), METRICS_FORMAT));
  } else if (path === '/agent' || path === '/game') {
    answer(request, response, 426, `${path} takes WebSocket connections only.`, { Upgrade: 'websocket', Connection: 'close' });
  } else {
    const notFound = () => answer(request, response, 404, 'There is nothing here.');
    if (options.files === undefined) notFound();
    else await options.files(request, response, notFound);
  }
}

/** That it lives is for everyone; how much goes on is for those who may enter. */
function health(request: IncomingMessage, { tokens, worlds, agents }: RequestsOptions): object {
  const isKnown = tokens.agent(bearerToken(request)) !== undefined;
  return { ok: true, ...(isKnown && { worlds: worlds.size, agents: agents() }) };
}

/** H6: only for those who may enter as an agent. */
function answerKnown(
  request: IncomingMessage,
  response: ServerResponse,
  { tokens }: RequestsOptions,
  tell: (principal: Principal) => void,
): void {
  const principal = tokens.agent(bearerToken(request));
  if (principal === undefined) answer(request, response, 401, 'unauthorized', { 'WWW-Authenticate': 'Bearer' });
  else tell(principal);
}
