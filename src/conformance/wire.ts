/** How a connection ended. `code` is 0 where the transport has none (TCP). */
export interface Ending {
  code: number;
  reason: string;
}

/** What a connection tells. Set before anything can come. */
interface WireEvents {
  /** One text frame, or one line without its LF. */
  text(text: string): void;
  /** Something that is no text frame, like a binary one. */
  other(what: string): void;
  ended(ending: Ending): void;
}

export type Transport = 'memory' | 'websocket' | 'tcp';

/** One connection, as raw as its transport is. Nothing here throws after the end. */
export interface Wire {
  /** One text frame, or one line: the LF is added. */
  send(text: string): void;
  /** A binary frame, or bytes as they are. */
  sendBytes(bytes: Uint8Array): void;
  /** Reads no more, for now. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Hangs up in the ordinary way: WebSocket 1000, TCP FIN. */
  close(): void;
  /** Is gone from one moment to the next. */
  cut(): void;
}

/** How a connection is made, and what a WebSocket's handshake may carry beside the connect line. */
export interface Handshake {
  /** Milliseconds that it may take. Default 15,000. */
  timeoutMs?: number;
  /** Parameters of the address (AICC B1). */
  query?: { [name: string]: string };
  protocols?: string[];
  /** `null`: none, even where the target has one. */
  token?: string | null;
  /** Told the subprotocol that the server selected; '' for none. */
  selected?(protocol: string): void;
}

/** Where the bridge is. */
export interface Target {
  readonly transport: Transport;
  /** The world and character that were named. */
  readonly world?: string | undefined;
  readonly character?: string | undefined;
  readonly token?: string | undefined;
  /** Resolves with a connection on which nothing has been said. @throws {RefusedHandshake} {Error} when nobody answers */
  connect(events: WireEvents, handshake?: Handshake): Promise<Wire>;
}

/** How long a connection may take. Milliseconds. */
export const CONNECT_MS = 15_000;

/** The server answered a WebSocket's handshake by an HTTP status. */
export class RefusedHandshake extends Error {
  readonly status: number;
  override readonly name = 'RefusedHandshake';
  constructor(status: number) {
    super(`the WebSocket handshake was answered by HTTP ${status}`);
    this.status = status;
  }
}
