import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';

type Frame = { type: string; conn?: number; [key: string]: unknown };
/** One AICC message of one connection, as it stood in a frame. */
type Message = { type: string; session_id: string; message_id: string; [key: string]: unknown };

export interface GamePeerOptions {
  world?: string;
  instance?: string;
  characters?: string[];
  /** Ids of sessions of `mira` that live in it. */
  sessions?: string[];
  token?: string;
  headers?: { [name: string]: string };
  /** false: pings are not answered. */
  autoPong?: boolean;
}

/**
 * A game's end of the game link, written against the wire alone. It gives every agent a session of the character it names
 * (none: the first), answers a tool_call with its input as the output and a session_close with one, and notes all frames.
 */
export class GamePeer {
  readonly frames: string[] = [];
  readonly controls: Frame[] = [];
  readonly lines: { conn: number; text: string }[] = [];
  readonly sessions = new Map<number, string>();
  readonly ws: WebSocket;
  world = '';
  #listeners = new Set<() => void>();

  /** Replaces what is done with an `open`. */
  onOpen: ((conn: number, request: Frame) => void) | undefined;
  /** Replaces what is done with a line. */
  onLine: ((conn: number, text: string) => void) | undefined;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data) => this.#frame(data.toString()));
  }

  static async connect(url: string, options: GamePeerOptions = {}): Promise<GamePeer> {
    const protocols = ['aicc-game.v1', ...(options.token === undefined ? [] : [`aicc.bearer.${options.token}`])];
    const peer = new GamePeer(new WebSocket(url, protocols, { headers: options.headers ?? {}, autoPong: options.autoPong ?? true }));
    await once(peer.ws, 'open');
    peer.sendHello(options);
    const welcome = await peer.control('welcome');
    peer.world = welcome.world as string;
    return peer;
  }

  sendHello({ world = 'lantern_night', instance = randomUUID(), characters = ['mira'], sessions = [] }: GamePeerOptions = {}): void {
    this.send({
      type: 'hello',
      version: 1,
      world: { name: world, kind: '2d' },
      instance,
      characters: characterInfos(characters),
      sessions: sessions.map((session_id) => ({ session_id, character: 'mira', principal: 'anonymous' })),
    });
  }

  sendCharacters(...ids: string[]): void {
    this.send({ type: 'characters', characters: characterInfos(ids) });
  }

  send(control: Frame): void {
    this.ws.send(JSON.stringify(control));
  }

  sendLines(...lines: [conn: number, text: string][]): void {
    this.ws.send(lines.map(([conn, text]) => `${conn.toString(36)} ${text}`).join('\n'));
  }

  /** The first control frame of a type that came or comes. */
  async control(type: string, index = 0): Promise<Frame> {
    return this.until(() => this.controls.filter((frame) => frame.type === type)[index]);
  }

  /** Waits until `find` gives something; it is tried on every frame. */
  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return false;
        this.#listeners.delete(look);
        resolve(found);
        return true;
      };
      if (!look()) this.#listeners.add(look);
    });
  }

  accept(conn: number, character = 'mira', session: string = randomUUID()): void {
    this.sessions.set(conn, session);
    this.sendLines([conn, sessionInit(session)]);
    this.send({ type: 'opened', conn, session_id: session, character });
  }

  refuse(conn: number, message: string, absent = false): void {
    this.send({ type: 'refused', conn, error: { code: 'tool_unavailable', message, retryable: true }, absent });
  }

  async close(): Promise<void> {
    if (this.ws.readyState === WebSocket.CLOSED) return;
    this.ws.close(1000);
    await once(this.ws, 'close');
  }

  #frame(frame: string): void {
    this.frames.push(frame);
    if (frame.startsWith('{')) this.#control(JSON.parse(frame));
    else
      for (const line of frame.split('\n')) {
        const space = line.indexOf(' ');
        this.#line(Number.parseInt(line.slice(0, space), 36), line.slice(space + 1));
      }
    for (const look of [...this.#listeners]) look();
  }

  #control(control: Frame): void {
    this.controls.push(control);
    if (control.type !== 'open') return;
    const conn = control.conn as number;
    const request = control.request as Frame;
    if (this.onOpen) this.onOpen(conn, request);
    else this.accept(conn, (request.character as string) ?? 'mira', request.resume as string | undefined);
  }

  #line(conn: number, text: string): void {
    this.lines.push({ conn, text });
    if (this.onLine) this.onLine(conn, text);
    else this.#answer(conn, JSON.parse(text));
  }

  #answer(conn: number, { type, session_id, message_id, ...rest }: Message): void {
    const reply = (members: object) =>
      this.sendLines([conn, JSON.stringify({ protocol: 'aicc/0.1', session_id, message_id: randomUUID(), ...members })]);
    if (type === 'tool_call') reply({ type: 'tool_result', call_id: rest.call_id, ok: true, output: rest.input });
    if (type === 'heartbeat') reply({ type: 'heartbeat', message_id });
    if (type !== 'session_close') return;
    reply({ type: 'session_close' });
    this.send({ type: 'close', conn, code: 1000, reason: 'closed' });
  }
}

function characterInfos(ids: string[]): object[] {
  return ids.map((id, index) => ({ id, description: id, default: index === 0, sessions: 0, max_sessions: 1, driver: 'none' }));
}

/** A session_init as a bridge would send it. */
export function sessionInit(session: string): string {
  return JSON.stringify({
    protocol: 'aicc/0.1',
    type: 'session_init',
    session_id: session,
    message_id: randomUUID(),
    tick_rate_hz: 10,
    tick_mode: 'hybrid',
    world: { name: 'lantern_night', kind: '2d' },
    agent_model: { class: 'cloud_medium' },
    capabilities: { sensors: [], actuators: [], generators: [] },
    tools: [],
    event_subscriptions: [],
  });
}
