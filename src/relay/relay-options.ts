import { checkOptions, type OptionKind } from '../base/check-options.ts';
import type { Clock } from '../base/clock.ts';
import { DEFAULT_HOST } from '../protocol/default-addresses.ts';
import { isLoopback } from './addresses.ts';
import type { AiControlOptions } from './aicontrol/endpoint-options.ts';
import type { OpenClaspOptions } from './openclasp/options.ts';
import { RelayError } from './relay-error.ts';
import { RELAY_LIMITS, type RelayLimits } from './relay-limits.ts';
import type { TokenOptions, Tokens } from './tokens.ts';

/** Options of `startRelay`. */
export interface RelayOptions extends TokenOptions {
  /** The address to listen on. Default 127.0.0.1. Any address beyond this machine needs a token for agents and one for games. */
  host?: string | undefined;
  /** The port for HTTP and WebSocket. Default 4750; 0 for a free one. */
  port?: number | undefined;
  /** The port for AICC over TCP. Default 4751; 0 for a free one. */
  tcpPort?: number | undefined;
  /** The folder of files to serve at `/`. Default: none. */
  staticDir?: string | undefined;
  /** Further host names (`name` or `name:port`) that the relay answers to. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins of pages elsewhere (`https://play.example`) that may connect. */
  allowedOrigins?: readonly string[] | undefined;
  /** Opens a port for clients of the AiControl line protocol. Default: off. */
  aicontrol?: AiControlOptions | undefined;
  /** Takes session offers, which say who may drive which character under which contract. Default: off. */
  openclasp?: OpenClaspOptions | undefined;
  /** Other bounds than those of `RELAY_LIMITS`. */
  limits?: Partial<RelayLimits> | undefined;
  /** Gets one line for each game and agent that comes or goes, for a person. Default: no log. */
  log?: ((line: string) => void) | undefined;
  /** The clock for wall time. Default: the real one. */
  clock?: Clock | undefined;
}

const OPTIONS: Record<keyof RelayOptions, OptionKind> = {
  host: 'string',
  port: 'number',
  tcpPort: 'number',
  agentToken: 'string',
  gameToken: 'string',
  tokensFile: 'string',
  staticDir: 'string',
  allowedHosts: 'list',
  allowedOrigins: 'list',
  aicontrol: 'object',
  openclasp: 'object',
  limits: 'object',
  clock: 'object',
  log: 'function',
};
const LIMIT_OPTIONS = Object.fromEntries(Object.keys(RELAY_LIMITS).map((name) => [name, 'number'])) as Record<
  keyof RelayLimits,
  OptionKind
>;

/** @throws TypeError for an option that there is not, or of another kind */
export function checkRelayOptions(options: RelayOptions): void {
  checkOptions('startRelay(options)', options, OPTIONS);
  checkOptions('startRelay({ limits })', options.limits, LIMIT_OPTIONS);
}

/** Refuses to let other machines in without tokens (B5). @throws RelayError `tokens_needed` */
export function refuseOpenDoors(host: string, tokens: Tokens): void {
  if (isLoopback(host) || (tokens.agentsNeedOne && tokens.gamesNeedOne)) return;
  const missing = [!tokens.agentsNeedOne && 'agents (AICC_AGENT_TOKEN)', !tokens.gamesNeedOne && 'games (AICC_GAME_TOKEN)'].filter(Boolean);
  throw new RelayError(
    'tokens_needed',
    `Listening on ${host} lets other machines in: set a token for ${missing.join(' and one for ')}, or name a tokens file that has them, or listen on ${DEFAULT_HOST}.`,
  );
}
