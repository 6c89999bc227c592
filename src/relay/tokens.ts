import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isObject } from '../base/json.ts';
import type { Principal } from '../transport/index.ts';
import { RelayError } from './relay-error.ts';

/** Where tokens come from. An empty token counts as none. */
export interface TokenOptions {
  /** For agents; who comes with it is called `agent` and may do everything. */
  agentToken?: string | undefined;
  /** For games. */
  gameToken?: string | undefined;
  /**
   * A JSON file: SHA-256 of a token in hex → `{name, role?: "agent" | "spectator" | "game", characters?, capabilities?}`; role `agent` when left
   * out. A spectator may watch and list, and drives nobody (AICC B8).
   */
  tokensFile?: string | undefined;
}

const ROLES = ['agent', 'spectator', 'game'] as const;

interface Entry extends Principal {
  role: (typeof ROLES)[number];
  hash: Buffer;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const ANONYMOUS: Principal = { name: 'anonymous' };

/** The tokens that open this relay (AICC B5). Where there are none for a role, everyone may come in it. */
export class Tokens {
  readonly #agents: Entry[];
  readonly #games: Entry[];

  private constructor(entries: Entry[]) {
    this.#agents = entries.filter(({ role }) => role !== 'game');
    this.#games = entries.filter(({ role }) => role === 'game');
  }

  /** @throws RelayError `bad_tokens_file` */
  static async load({ agentToken, gameToken, tokensFile }: TokenOptions): Promise<Tokens> {
    const entries = tokensFile ? await readTokensFile(tokensFile) : [];
    if (agentToken) entries.push({ role: 'agent', name: 'agent', hash: hashOf(agentToken) });
    if (gameToken) entries.push({ role: 'game', name: 'game', hash: hashOf(gameToken) });
    return new Tokens(entries);
  }

  get agentsNeedOne(): boolean {
    return this.#agents.length > 0;
  }

  get gamesNeedOne(): boolean {
    return this.#games.length > 0;
  }

  /** Who an agent with this token is; undefined: nobody who may enter. */
  agent(token: string | undefined): Principal | undefined {
    return this.agentsNeedOne ? find(this.#agents, token) : ANONYMOUS;
  }

  admitsGame(token: string | undefined): boolean {
    return !this.gamesNeedOne || find(this.#games, token) !== undefined;
  }
}

/** Takes the same time whichever token it is: hashes have one length, and every one is compared. */
function find(entries: readonly Entry[], token: string | undefined): Principal | undefined {
  if (token === undefined) return undefined;
  const hash = hashOf(token);
  let found: Principal | undefined;
  for (const { role, hash: other, ...principal } of entries)
    if (timingSafeEqual(other, hash)) found = role === 'spectator' ? { ...principal, spectates: true } : principal;
  return found;
}

async function readTokensFile(path: string): Promise<Entry[]> {
  let file: unknown;
  try {
    file = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new RelayError('bad_tokens_file', `The tokens file ${path} cannot be read: ${(error as Error).message}`);
  }
  if (!isObject(file))
    throw new RelayError('bad_tokens_file', `The tokens file ${path} must be a JSON object: SHA-256 of a token → who it is.`);
  return Object.entries(file).map(([hash, value]) => {
    const problem = problemOf(hash, value);
    if (problem !== undefined)
      throw new RelayError('bad_tokens_file', `The tokens file ${path} is wrong at "${hash.slice(0, 64)}": ${problem}.`);
    return { role: 'agent', ...(value as unknown as Principal), hash: Buffer.from(hash, 'hex') };
  });
}

function problemOf(hash: string, value: unknown): string | undefined {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return 'a key must be the SHA-256 of a token, 64 hex digits';
  if (!isObject(value)) return 'its value must be an object';
  const unknown = Object.keys(value).find((key) => !['name', 'role', 'characters', 'capabilities'].includes(key));
  if (unknown !== undefined) return `"${unknown}" is not known, only name, role, characters and capabilities are`;
  const { name, role, characters, capabilities } = value;
  if (typeof name !== 'string' || name === '') return 'name must be a text';
  if (role !== undefined && !ROLES.some((each) => each === role)) return 'role must be "agent", "spectator" or "game"';
  if (!isOptionalNames(characters)) return 'characters must be a list of texts';
  if (!isOptionalNames(capabilities)) return 'capabilities must be a list of texts';
  return undefined;
}

function isOptionalNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
}
