import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Contract, canonicalJson, contractHash, type Offer, sha256 } from '../../src/contract/node.ts';
import type { Interaction } from '../../src/relay/openclasp/interactions.ts';
import { game, start } from '../relay/harness.ts';
import { tcpAgent } from '../relay/raw-agents.ts';
import { activationOf, driverToken, offerLine, post, site } from './site.ts';
import { AT, keyOf, localOffer, VECTORS } from './vectors.ts';

type Stored = { interaction: Interaction & { offer: Offer } };

/** A relay with one interaction, whose record somebody changes while it is away. @returns what an agent with the token is answered then */
async function changed(from: 'local' | 'platform', change: (stored: Stored['interaction']) => void) {
  const { relay, stateDir, trustFile } = await site();
  if (from === 'platform') {
    const { body } = await post(relay, VECTORS.offer);
    await post(relay, activationOf(VECTORS.offer, body.sessionId));
  } else {
    const agent = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await agent.next()).toMatchObject({ type: 'session_init' });
  }
  await relay.close();
  const folder = join(stateDir, 'offers');
  const [name] = (await readdir(folder)) as [string];
  const stored = JSON.parse(await readFile(join(folder, name), 'utf8')) as Stored;
  change(stored.interaction);
  await writeFile(join(folder, name), JSON.stringify(stored));
  const told: string[] = [];
  const log = (sentence: string) => told.push(sentence);
  const again = await start({
    openclasp: { trustFile, stateDir, agents: { 'game-mira': { character: 'mira' } }, now: () => AT, log },
  });
  await game(again);
  const agent = await tcpAgent(again.tcpPort, JSON.stringify({ connect: { token: driverToken() } }));
  return { answer: await agent.next(), told };
}

/** As somebody would who may write on the disk, and has no key. */
function rewrite(stored: Stored['interaction'], contract: Partial<Contract>): void {
  stored.offer.contract = { ...stored.offer.contract, ...contract };
  stored.offer.contractHash = contractHash(stored.offer.contract);
  stored.contractHash = stored.offer.contractHash;
  stored.digest = sha256(canonicalJson(stored.offer));
}

test.each(['local', 'platform'] as const)('an untouched record of a %s offer counts after a restart', async (from) => {
  expect((await changed(from, () => {})).answer).toMatchObject({ type: 'session_init' });
});

const GREEDY: Partial<Contract> = { allowedActions: ['attack'], prohibitedActions: [] };

test.each<[string, 'local' | 'platform', (stored: Stored['interaction']) => void, string]>([
  ['contract', 'local', ({ offer }) => Object.assign(offer.contract, GREEDY), 'its offer was changed'],
  ['contract with its hashes', 'local', (stored) => rewrite(stored, GREEDY), 'a signature does not fit'],
  ['contract without its signature', 'local', (stored) => rewrite(stored, { ...GREEDY, signatures: {} }), 'a signature is missing'],
  ['counterparty', 'local', (stored) => Object.assign(stored, { counterparty: 'stranger' }), 'its offer is another one'],
  ['contract', 'platform', ({ offer }) => Object.assign(offer.contract, GREEDY), 'its offer was changed'],
  [
    'contract with its hashes',
    'platform',
    (stored) => rewrite(stored, { ...GREEDY, signatures: {} }),
    "the platform's request is another one",
  ],
  [
    'whole request',
    'platform',
    (stored) => {
      rewrite(stored, { ...GREEDY, signatures: {} });
      stored.proof!.body = JSON.stringify(stored.offer);
    },
    "the platform's signature does not fit",
  ],
  [
    'activation',
    'platform',
    ({ activation }) => Object.assign(activation!.peer, { verificationKey: keyOf('stranger').publicKey }),
    'its activation was changed',
  ],
  [
    'activation with its hash',
    'platform',
    (stored) => {
      stored.activation!.peer.verificationKey = keyOf('stranger').publicKey;
      stored.activationDigest = sha256(canonicalJson(stored.activation!));
    },
    "the platform's request is another one",
  ],
])('T2, T3: a record whose %s somebody changed (%s) is not used, and the operator is told', async (_what, from, change, why) => {
  const { answer, told } = await changed(from, change);
  expect(answer).toMatchObject({ type: 'error', error: { code: 'invalid_input', message: 'unauthorized' } });
  expect(told).toEqual([expect.stringContaining(`is damaged (${why})`)]);
});
