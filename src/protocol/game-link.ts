import type { JsonObject } from '../base/json.ts';
import { alive, close as closeInGame, end, hold, interaction, open, quiet, refused_call, release, welcome } from './generated/to-game.js';
import {
  changed,
  characters,
  close as closeInRelay,
  hello,
  interaction_over,
  opened,
  refused,
  rest,
  session_over,
} from './generated/to-relay.js';
import { validatorFor } from './judge.ts';
import type { ModelDeclaration, WireError, WorldKind } from './messages.ts';
import { checkShape } from './parse.ts';
import { describeSchemaError, describeValue, type Validate } from './schema-error.ts';

/** What is told about a character to those who may see it. */
export interface CharacterInfo {
  /** Agents name it by this. */
  id: string;
  /** Who it is. */
  description: string;
  /** Whether an agent that names nobody gets it (AICC B3). */
  default: boolean;
  /** Agents that drive it now, spectators not counted. */
  sessions: number;
  /** How many agents may (AICC B4). */
  max_sessions: number;
  /** Who drives it now. */
  driver: 'none' | 'builtin' | 'person' | 'agent';
}

/** A session that lives in the game, so that a restarted relay knows it at once. */
export interface LinkedSession {
  /** Its UUID. */
  session_id: string;
  /** The id of its character. */
  character: string;
  /** Who opened it. */
  principal: string;
}

/**
 * What an agent asked for (AICC B1), checked, with what its token grants. `world` is not here: who routes to a world has used it up.
 * Snake case, because it travels.
 */
export interface OpenRequest {
  /** Absent: the character marked default. */
  character?: string;
  /** How fast the agent's model answers (E5). */
  agent_model?: ModelDeclaration;
  /** Topics that the agent asks for (F1). */
  event_subscriptions?: string[];
  /** Every result carries the newest snapshot (B1). */
  observe?: boolean;
  /** Watch without driving (B8); with `resume`: take up a spectator's session alone. */
  spectate?: boolean;
  /** A session to take up again instead of opening one (C5). */
  resume?: string;
  /** The highest `meta.seq` that arrived (C5). */
  last_seq?: number;
  /** Who asks: a token's name, an offer's counterparty, or `anonymous`. */
  principal: string;
  /** What the token grants; absent: the world's default (G2). */
  capabilities?: string[];
  /** Characters that the token may drive; absent: all. */
  characters?: string[];
  /** The terms of a session offer, as `phaser-aicc/contract` reads them; a game that takes none must refuse. */
  contract?: JsonObject;
}

/** Control messages of the game link, game page → relay. `hello` is the first; `characters` comes from older games. */
export type GameToRelay =
  | {
      type: 'hello';
      version: 1;
      world: { name: string; kind: WorldKind };
      instance: string;
      characters: CharacterInfo[];
      sessions: LinkedSession[];
      more?: boolean;
    }
  /** More of hello's lists, while hello and what followed it said `more`. */
  | { type: 'rest'; characters: CharacterInfo[]; sessions: LinkedSession[]; more?: boolean }
  | { type: 'changed'; characters: CharacterInfo[]; gone: string[] }
  | { type: 'characters'; characters: CharacterInfo[] }
  | { type: 'opened'; conn: number; session_id: string; character: string }
  | { type: 'refused'; conn: number; error: WireError; absent: boolean }
  | { type: 'close'; conn: number; code: number; reason: string }
  | { type: 'session_over'; session_id: string }
  /** OpenClasp T12, T13. `condition` absent: its time is over. */
  | { type: 'interaction_over'; interaction: string; condition?: string };

/** Control messages of the game link, relay → game page. `welcome` is the first and gives the name that agents find the world by. */
export type RelayToGame =
  | { type: 'welcome'; world: string }
  /** The relay is there. */
  | { type: 'alive' }
  | { type: 'open'; conn: number; request: OpenRequest }
  | {
      type: 'refused_call';
      conn: number;
      call: { call_id: string; session_id?: string; message_id?: string; content: string; error: string };
    }
  | { type: 'close'; conn: number; clean: boolean }
  | { type: 'hold'; conn: number }
  | { type: 'release'; conn: number }
  | { type: 'quiet'; conn: number; quiet: boolean }
  | { type: 'interaction'; contract: JsonObject; begun: boolean }
  | { type: 'end'; session_id?: string; interaction?: string; reason: string };

/**
 * `unknown`: what a newer other end said and this one does not know; it is passed over. `problem`: one sentence that names the JSON pointer.
 */
export type LinkCheck<M> = { ok: true; message: M; unknown?: string } | { ok: false; problem: string; unknown?: string };

const TO_RELAY: Readonly<Record<GameToRelay['type'], Validate>> = {
  hello,
  rest,
  changed,
  characters,
  opened,
  refused,
  close: closeInRelay,
  session_over,
  interaction_over,
};
const TO_GAME: Readonly<Record<RelayToGame['type'], Validate>> = {
  welcome,
  alive,
  open,
  refused_call,
  close: closeInGame,
  hold,
  release,
  quiet,
  interaction,
  end,
};

/** Every member that some control message has. What a newer other end adds is among none of them. */
const MEMBERS: readonly string[] =
  'type version world instance characters sessions more gone conn session_id character error absent code reason request call clean quiet contract begun interaction condition'.split(
    ' ',
  );

/** Checks a parsed control message that came from a game page. */
export function checkGameToRelay(value: unknown): LinkCheck<GameToRelay> {
  return check<GameToRelay>(value, TO_RELAY);
}

/** Checks a parsed control message that came from the relay. */
export function checkRelayToGame(value: unknown): LinkCheck<RelayToGame> {
  return check<RelayToGame>(value, TO_GAME);
}

function check<M>(value: unknown, kinds: Readonly<Record<string, Validate>>): LinkCheck<M> {
  const parsed = checkShape(value);
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  const { type } = parsed.value;
  const validate = validatorFor(kinds, type);
  if (validate === undefined) {
    const problem = `/type must be one of ${Object.keys(kinds).join(', ')}, got ${describeValue(type)}`;
    return typeof type === 'string'
      ? { ok: false, problem, unknown: `the message ${JSON.stringify(type.slice(0, 60))}` }
      : { ok: false, problem };
  }
  if (!validate(value)) return { ok: false, problem: describeSchemaError(validate.errors) };
  const extra = Object.keys(parsed.value).find((name) => !MEMBERS.includes(name));
  const message = value as M;
  return extra === undefined
    ? { ok: true, message }
    : { ok: true, message, unknown: `the member ${JSON.stringify(extra.slice(0, 60))} of ${type}` };
}
