import type { RelayOptions } from './relay-options.ts';
import { startRelayWith } from './start-relay.ts';

/** A relay that runs. */
export interface Relay {
  /** The page's address, for a browser. */
  readonly url: string;
  /** The address for agents by WebSocket. */
  readonly agentUrl: string;
  /** The address for games. */
  readonly gameUrl: string;
  /** The address that the relay listens on. */
  readonly host: string;
  /** The port for HTTP and WebSocket. */
  readonly port: number;
  /** The port for AICC over TCP. */
  readonly tcpPort: number;
  /** The port for AiControl clients; `undefined` when it is off. */
  readonly aicontrolPort: number | undefined;
  /** Releases what AiControl drives, closes all connections and resolves when everything is closed. Further calls return the same promise. */
  close(): Promise<void>;
}

/**
 * Starts a relay: it keeps bad input, strangers and slow sockets away from games and carries everything else. It keeps no session state.
 * @throws TypeError for an option that there is not, or of another kind
 * @throws RelayError when it cannot start: one sentence says why and what to do
 */
export function startRelay(options: RelayOptions = {}): Promise<Relay> {
  return startRelayWith(options, () => []);
}
