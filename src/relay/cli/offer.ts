import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  type Contract,
  contractHash,
  type Decision,
  judgeOffer,
  type KeyRegistry,
  type Offer,
  type OfferVerdict,
  type Step,
  signObject,
} from '../../contract/node.ts';
import { readRegistry } from '../openclasp/index.ts';
import { RelayError } from '../relay-error.ts';
import type { Command, Given } from './command.ts';
import { type Io, line, UsageError } from './io.ts';
import { readOfferFile } from './offer-file.ts';
import { describeOffer } from './offer-text.ts';
import { readKeyFile, readText } from './secret-files.ts';

const DEFAULT_MINUTES = 60;
const MOST_MINUTES = 60 * 24 * 366;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

const ACTIONS: Record<string, (given: Given, io: Io) => Promise<number>> = { new: make, sign, check, show };

export const offer: Command = {
  summary: 'write, sign, check and read session offers',
  help: `aicc offer new --agent AGENT_ID --counterparty AGENT_ID [options]   writes an offer, not signed yet
  --name NAME            of the counterparty, default its id
  --allow ACTION         a tool or capability that may be used; may be repeated, like all of these:
  --prohibit ACTION      one that must not
  --approve ACTION       one of the allowed for which a person in the game is asked each time
  --data CLASS           a data class that may be known
  --prohibit-data CLASS  one that must not
  --complete CONDITION   the game's condition that completes it
  --cancel CONDITION     the one that cancels it
  --minutes N            until its deadline, default ${DEFAULT_MINUTES}; or --deadline ISO_TIME
  --purpose TEXT         what it is for
  --retention-days N     how long records of it are kept, default 0
aicc offer sign OFFER.json --key FILE                                adds a party's signature
aicc offer check OFFER.json --trust KEYS.json --agent AGENT_ID       says whether it counts; exit code 0 or 1
  --at ISO_TIME          as if it were then
  --platform             as if it came signed from the platform
  --json                 {"ok","decision","rule","reason"}
aicc offer show OFFER.json                                           what it allows, its brief and its insights

  --out FILE             new, sign: where it goes, default: it is printed`,
  options: {
    agent: { type: 'string' },
    counterparty: { type: 'string' },
    name: { type: 'string' },
    allow: { type: 'string', multiple: true },
    prohibit: { type: 'string', multiple: true },
    approve: { type: 'string', multiple: true },
    data: { type: 'string', multiple: true },
    'prohibit-data': { type: 'string', multiple: true },
    complete: { type: 'string', multiple: true },
    cancel: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    deadline: { type: 'string' },
    purpose: { type: 'string' },
    'retention-days': { type: 'string' },
    out: { type: 'string' },
    key: { type: 'string' },
    trust: { type: 'string' },
    at: { type: 'string' },
    platform: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(given, io) {
    const [name = ''] = given.words;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) throw new UsageError(`say one of ${Object.keys(ACTIONS).join(', ')}${name && `, not "${name}"`}`);
    given.expectWords(name, ...(name === 'new' ? [] : ['OFFER.json']));
    return action(given, io);
  },
};

async function make(given: Given, io: Io): Promise<number> {
  const [agentId, counterparty] = [given.text('agent'), given.text('counterparty')];
  if (!agentId) throw new UsageError('--agent is missing: whose character is to be driven');
  if (!counterparty) throw new UsageError('--counterparty is missing: who is to drive it');
  const now = Date.now();
  const minutes = given.number('minutes', { min: 0, max: MOST_MINUTES }) ?? DEFAULT_MINUTES;
  const deadline = new Date(timeFrom(given, 'deadline') ?? now + Math.round(minutes * 60_000)).toISOString();
  const interactionId = randomUUID();
  const purpose = given.text('purpose') ?? '';
  const contract: Contract = {
    protocolVersion: '0.1',
    interactionId,
    purpose,
    parties: [agentId, counterparty],
    taskCategory: 'character',
    requestedOutcome: purpose,
    successCriteria: given.texts('complete'),
    deadline,
    allowedActions: given.texts('allow'),
    prohibitedActions: given.texts('prohibit'),
    allowedData: given.texts('data'),
    prohibitedData: given.texts('prohibit-data'),
    evidenceRequirements: [],
    delegationRules: [],
    humanApprovalRequirements: given.texts('approve'),
    factCheckingPolicy: 'none',
    mediationPolicy: 'none',
    retentionDays: given.number('retention-days', { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true }) ?? 0,
    completionConditions: given.texts('complete'),
    cancellationConditions: given.texts('cancel'),
    signatures: {},
  };
  return put(given, io, {
    type: 'openclasp.session.offer',
    version: '1',
    offerId: randomUUID(),
    interactionId,
    agentId,
    role: 'responder',
    counterparty: { agentId: counterparty, name: given.text('name') || counterparty, agentVersion: '1', capabilities: [] },
    contract,
    contractHash: contractHash(contract),
    privateInsights: [],
    issuedAt: new Date(now).toISOString(),
    expiresAt: deadline,
  });
}

async function sign(given: Given, io: Io): Promise<number> {
  const read = await readOfferFile(given.words[1] as string);
  const { agentId, key, keyId } = await readKeyFile(given.text('key'));
  const { contract } = read;
  if (!contract.parties.includes(agentId))
    throw new UsageError(`${agentId} is no party to the contract: they are ${contract.parties.join(', ')}`);
  const signatures = { ...contract.signatures, [agentId]: signObject(contract, keyId, key) };
  return put(given, io, { ...read, contract: { ...contract, signatures }, contractHash: contractHash(contract) });
}

async function check(given: Given, io: Io): Promise<number> {
  const [trust, agent] = [given.text('trust'), given.text('agent')];
  if (!trust) throw new UsageError('--trust is missing: the file with the keys that count');
  if (!agent) throw new UsageError('--agent is missing: the agent id of the character that is served');
  const verdict = judgeOffer(await readText(given.words[1] as string), {
    nowMs: timeFrom(given, 'at') ?? Date.now(),
    keys: await registryFrom(trust),
    fromPlatform: given.flag('platform'),
    serves: (agentId) => agentId === agent,
  });
  const result = decided(verdict);
  line(
    io.stdout,
    given.flag('json') ? JSON.stringify(result) : `${result.decision}${result.rule ? ` ${result.rule}` : ''}: ${result.reason}`,
  );
  return result.ok ? 0 : 1;
}

function decided(verdict: OfferVerdict): { ok: boolean; decision: Decision; rule: Step | null; reason: string } {
  if (!verdict.ok) return { ok: false, decision: 'DENY', rule: verdict.step, reason: verdict.reason };
  if (verdict.challenged)
    return { ok: false, decision: 'CHALLENGE', rule: 'decision', reason: 'the brief says CHALLENGE: an operator must approve' };
  return { ok: true, decision: 'ALLOW', rule: null, reason: 'every check is passed' };
}

async function show(given: Given, io: Io): Promise<number> {
  const read = await readOfferFile(given.words[1] as string);
  const { counterpartyBrief = null, privateInsights } = read;
  line(io.stdout, given.flag('json') ? JSON.stringify({ brief: counterpartyBrief, insights: privateInsights }) : describeOffer(read));
  return 0;
}

async function put(given: Given, io: Io, made: Offer): Promise<number> {
  const text = JSON.stringify(made, null, 2);
  const out = given.text('out');
  if (out === undefined) line(io.stdout, text);
  else await writeFile(out, `${text}\n`, 'utf8');
  return 0;
}

async function registryFrom(file: string): Promise<KeyRegistry> {
  try {
    return await readRegistry(file);
  } catch (error) {
    throw error instanceof RelayError ? new UsageError(error.message) : error;
  }
}

/** @throws {UsageError} */
function timeFrom(given: Given, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`--${name} must be a time like 2026-01-31T12:00:00Z, not "${text}"`);
  return at;
}
