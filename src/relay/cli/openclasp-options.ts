import { createInterface } from 'node:readline';
import type { AgentPlace, Challenge, OpenClaspOptions } from '../index.ts';
import type { Given } from './command.ts';
import { type Io, line, UsageError } from './io.ts';

const DEFAULT_STATE = '.aicc';
const ON_CHALLENGE = ['ask', 'decline', 'accept'] as const;

/** What `aicc relay` takes for session offers. */
export const OPENCLASP_OPTIONS = {
  trust: { type: 'string' },
  'require-offer': { type: 'string', multiple: true },
  'offer-agent': { type: 'string', multiple: true },
  'on-challenge': { type: 'string' },
  'require-party-signatures': { type: 'boolean' },
  platform: { type: 'string' },
  'public-url': { type: 'string' },
  state: { type: 'string' },
} as const;

export const OPENCLASP_HELP = `  --trust KEYS.json           take session offers: {"keys": [{"agentId", "keyId", "publicKey", "revoked"?}], "platform"?: {"publicKey"}}
  --require-offer CHARACTER   nobody drives it from outside without an offer; may be repeated
  --offer-agent ID=CHARACTER  which character (or WORLD/CHARACTER) an OpenClasp agent is; default: the one of that name; may be repeated
  --on-challenge WHAT         an offer whose brief challenges it: ask, decline (default) or accept
  --require-party-signatures  every party must have signed the contract
  --platform URL              the platform, when its key is not in KEYS.json: it is fetched from there
  --public-url URL            where agents outside reach this relay, such as wss://relay.example/agent
  --state DIR                 for offers and the audit log, default ${DEFAULT_STATE}`;

/**
 * The offers that were asked for; undefined: none are taken.
 * @throws {UsageError}
 */
export function openClaspFrom(given: Given, io: Io): OpenClaspOptions | undefined {
  const named = Object.keys(OPENCLASP_OPTIONS).filter((name) => given.flag(name) || given.text(name) !== undefined);
  if (named.length === 0) return undefined;
  const [trustFile, platformUrl] = [given.text('trust'), given.text('platform')];
  if (trustFile === undefined && platformUrl === undefined)
    throw new UsageError(`--${named[0]} says something about session offers: --trust must say whose keys count`);
  const onChallenge = given.text('on-challenge') ?? 'decline';
  const known = ON_CHALLENGE.find((each) => each === onChallenge);
  if (known === undefined) throw new UsageError(`--on-challenge must be one of ${ON_CHALLENGE.join(', ')}, not "${onChallenge}"`);
  return {
    trustFile,
    platformUrl,
    agents: Object.fromEntries(given.texts('offer-agent').map(readPlace)),
    requireOffer: given.texts('require-offer'),
    onChallenge: known,
    askOperator: (challenge, signal) => ask(challenge, signal, io),
    requirePartySignatures: given.flag('require-party-signatures'),
    publicUrl: given.text('public-url'),
    stateDir: given.text('state') ?? DEFAULT_STATE,
    log: (sentence) => void line(io.stderr, `aicc relay: ${sentence}`),
  };
}

function readPlace(text: string): [agentId: string, place: AgentPlace] {
  const [, agentId, world, character] = /^([^=]+)=(?:([^/]+)\/)?([^/]+)$/.exec(text) ?? [];
  if (agentId === undefined || character === undefined)
    throw new UsageError(`--offer-agent must look like AGENT_ID=CHARACTER or AGENT_ID=WORLD/CHARACTER, not "${text}"`);
  return [agentId, { character, world }];
}

/** Asks whoever sits at the terminal; nobody there: no. */
async function ask({ agentId, brief, counterparty, offerId }: Challenge, signal: AbortSignal, io: Io): Promise<boolean> {
  if (io.stdin.isTTY !== true) return false;
  const terminal = createInterface({ input: io.stdin, output: io.stderr });
  const reasons = brief.insights.map(({ message, severity }) => `${severity}: ${message}`).join('; ');
  const question = `Offer ${offerId}: may ${JSON.stringify(counterparty)} drive ${JSON.stringify(agentId)}? The brief challenges it (${JSON.stringify(reasons)}). yes/no `;
  try {
    return await new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true });
      terminal.question(question, (text) => resolve(/^y(es)?$/i.test(text.trim())));
    });
  } finally {
    terminal.close();
  }
}
