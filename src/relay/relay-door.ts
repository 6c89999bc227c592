import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Channel, Principal } from '../transport/index.ts';

/**
 * One way into the relay. A door declares what it listens for; the relay listens, and applies the bounds before the door sees anything: connections
 * and their rate, Host and Origin, tokens, places, pings, message and body limits (H1 to H9). What a door declares, `start-relay.ts` lists.
 */
export interface RelayDoor {
  readonly name: string;
  /** HTTP requests that it answers. */
  readonly routes?: readonly Route[];
  /** A path for WebSockets. */
  readonly webSocket?: WebSocketDoor;
  /** A port of its own. */
  readonly port?: PortDoor;
  /** The relay closes: gives back what the door's own agents drive. Resolves when the games have heard of it. */
  giveBack?(): Promise<void>;
  /** The relay closes and all agents have left: hangs up on what the door itself keeps. */
  hangUp?(code: number, reason: string): void;
}

/** HTTP requests for one path. */
export interface Route {
  /** `*`: every path that no other route has. */
  path: string;
  /** Others are answered 405. */
  methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** `agent`: a request without an agent's token is answered 401. `none`: everyone may ask, or the route has another proof. */
  token: 'agent' | 'none';
  /** Bytes that a body may have; a larger one is answered 413. 0: the route reads no body. */
  bodyBytes: number;
  handle(exchange: Exchange): void | Promise<void>;
}

/** One request that may be answered. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whose token the request has; `undefined` without a token that is known. */
  principal: Principal | undefined;
  /** The body, whole; empty where the route reads none. */
  body: Buffer;
}

/** WebSockets at one path. */
export type WebSocketDoor = {
  path: string;
  /** The subprotocol that is spoken. Games must offer it. */
  subprotocol: string;
  /** Bytes that one message may have; a larger one closes the connection with 1009. */
  messageBytes: number;
} & (
  | {
      /** Agents: the relay admits them with their tokens. */
      for: 'agents';
      channel(ws: WebSocket, socket: Duplex): Channel;
    }
  | {
      /** Games: the door gets those with a game's token. */
      for: 'games';
      accept(ws: WebSocket, socket: Duplex): void;
    }
);

/** A TCP port. */
export type PortDoor = {
  host: string;
  /** 0 for a free one. */
  port: number;
  /** The option by which a person chooses another port, for an error message. */
  option: string;
  /** Default false. */
  allowHalfOpen?: boolean;
  /** It listens. */
  listens?(port: number): void;
} & (
  | {
      /** Agents of AICC: the relay admits them. */
      for: 'agents';
      channel(socket: Socket): Channel;
    }
  | {
      /** Clients of another protocol: the door gets those within the bounds, and takes agents in for them with `Agents.enter`. */
      for: 'clients';
      accept(socket: Socket): void;
    }
);
