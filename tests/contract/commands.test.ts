import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Insight, type Requirement, readToken } from '../../src/contract/node.ts';
import { cli, runCli } from '../cli/run-cli.ts';
import { tcpAgent } from '../relay/raw-agents.ts';
import { folder } from './site.ts';
import { localOffer, offerWith, trustText, VECTORS } from './vectors.ts';

async function place() {
  const dir = await folder();
  const file = (name: string) => join(dir, name);
  return {
    file,
    async write(name: string, value: unknown): Promise<string> {
      await writeFile(file(name), typeof value === 'string' ? value : JSON.stringify(value));
      return file(name);
    },
  };
}

const AT = '2026-06-01T00:00:00Z';

describe('aicc keys new', () => {
  test('writes a private key that only its owner can read, and prints the public half alone', async () => {
    const { file } = await place();
    const made = await cli(['keys', 'new', '--agent', 'ann', '--out', file('ann.key')]);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect((await stat(file('ann.key'))).mode & 0o777).toBe(0o600);
    const secret = JSON.parse(await readFile(file('ann.key'), 'utf8'));
    expect(JSON.parse(made.out)).toEqual({ agentId: 'ann', keyId: 'ann#1', publicKey: expect.stringMatching(/^[\w-]{59}$/) });
    expect(secret).toMatchObject({ agentId: 'ann', keyId: 'ann#1' });
    expect(made.out).not.toContain(secret.privateKey);
    const again = await cli(['keys', 'new', '--agent', 'ann', '--out', file('ann.key')]);
    expect(again).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is there already and may hold a key') });
    expect(JSON.parse(await readFile(file('ann.key'), 'utf8'))).toEqual(secret);
  });

  test('takes another name for the key', async () => {
    const { file } = await place();
    const { out } = await cli(['keys', 'new', '--agent', 'ann', '--out', file('k'), '--key-id', 'spare']);
    expect(JSON.parse(out)).toMatchObject({ keyId: 'spare' });
  });
});

describe('aicc offer check', () => {
  async function check(offer: unknown, ...more: string[]) {
    const { write } = await place();
    const [path, keys] = [await write('OFFER.json', offer), await write('KEYS.json', trustText())];
    const { code, out } = await cli(['offer', 'check', path, '--trust', keys, '--agent', 'game-mira', '--at', AT, '--json', ...more]);
    return { code, said: JSON.parse(out) };
  }

  test('says of the offer that an independent program made that it counts', async () => {
    expect(await check(VECTORS.offer, '--platform')).toEqual({
      code: 0,
      said: { ok: true, decision: 'ALLOW', rule: null, reason: 'every check is passed' },
    });
    expect(await check(localOffer())).toMatchObject({ code: 0, said: { ok: true, decision: 'ALLOW', rule: null } });
  });

  test.each([
    ['schema: version', 'DENY', 'schema'],
    ['schema: unknown member', 'DENY', 'schema'],
    ['expired', 'DENY', 'time'],
    ['issued in the future', 'DENY', 'time'],
    ['interaction differs', 'DENY', 'interaction'],
    ['contract changed after hashing', 'DENY', 'hash'],
    ['agent not a party', 'DENY', 'parties'],
    ['party signature broken', 'DENY', 'signature'],
    ['brief denies', 'DENY', 'decision'],
    ['brief challenges', 'CHALLENGE', 'decision'],
    ['brief signature broken', 'DENY', 'brief'],
  ])('says of the fault "%s": %s by %s', async (reason, decision, rule) => {
    const { offer } = VECTORS.offerFaults.find((fault) => fault.reason === reason)!;
    expect(await check(offer, '--platform')).toEqual({ code: 1, said: { ok: false, decision, rule, reason: expect.stringMatching(/./) } });
  });

  test('T6: without --platform an offer is a local one', async () => {
    expect(await check(VECTORS.offer)).toMatchObject({ code: 1, said: { decision: 'DENY', rule: 'brief' } });
    expect(await check(offerWith({ signers: [], brief: null }))).toMatchObject({ code: 1, said: { rule: 'signature' } });
  });

  test('says it of what is no JSON, and in words without --json', async () => {
    expect(await check('{"type":')).toMatchObject({ code: 1, said: { rule: 'schema' } });
    const { write } = await place();
    const [path, keys] = [await write('OFFER.json', VECTORS.offer), await write('KEYS.json', trustText())];
    const asked = ['offer', 'check', path, '--trust', keys, '--agent', 'bob', '--at', AT, '--platform'];
    expect(await cli(asked)).toMatchObject({ code: 1, out: 'DENY agent: no character of agent "game-mira" is served here\n' });
  });

  test.each([
    [['offer'], 'say one of new, sign, check, show'],
    [['offer', 'burn'], 'not "burn"'],
    [['offer', 'check'], 'OFFER.json is missing'],
    [['offer', 'check', 'x.json', '--agent', 'a'], '--trust is missing'],
    [['offer', 'check', 'x.json', '--trust', 'k.json'], '--agent is missing'],
    [['offer', 'check', '/nonexistent/x.json', '--trust', 'k.json', '--agent', 'a'], 'no such file'],
    [['offer', 'sign', '/nonexistent/x.json'], 'no such file'],
    [['offer', 'new', '--agent', 'a'], '--counterparty is missing'],
    [['offer', 'new', '--agent', 'a', '--counterparty', 'b', '--deadline', 'soon'], '--deadline must be a time like'],
    [['keys', 'new', '--agent', 'a'], '--out is missing'],
    [['keys', 'old'], 'not "old"'],
    [['token', 'new'], 'OFFER.json is missing'],
    [['relay', '--require-offer', 'mira'], '--trust must say whose keys count'],
    [['relay', '--trust', 'k.json', '--on-challenge', 'maybe'], '--on-challenge must be one of ask, decline, accept'],
    [['relay', '--trust', 'k.json', '--offer-agent', 'mira'], '--offer-agent must look like'],
    [['relay', '--aicontrol-port', '0', '--aicontrol-character', 'm', '--aicontrol-offer', 'x.json'], '--aicontrol-offer-token-env'],
    [['relay', '--aicontrol-offer', 'x.json'], 'only --aicontrol-port switches on'],
  ])('wrong use, %j, is one line and exit code 2', async (argv, problem) => {
    const { code, err, out } = await cli(argv);
    expect(err).toContain(problem);
    expect([code, out, err.match(/\n/g)?.length]).toEqual([2, '', 1]);
  });
});

describe('an operator without a platform', () => {
  test('mints, signs and shows an offer, makes a token, and an agent drives under it (T6)', async () => {
    const { file, write } = await place();
    const keys = await Promise.all(['mira', 'bot'].map((agent) => cli(['keys', 'new', '--agent', agent, '--out', file(`${agent}.key`)])));
    const trust = await write('KEYS.json', { keys: keys.map(({ out }) => JSON.parse(out)) });
    const offer = file('OFFER.json');
    const made = ['--allow', 'move_to', '--allow', 'speech', '--approve', 'give', '--data', 'position', '--prohibit-data', 'notes'];
    await cli(['offer', 'new', '--agent', 'mira', '--counterparty', 'bot', ...made, '--complete', 'won', '--minutes', '5', '--out', offer]);
    const checked = () => cli(['offer', 'check', offer, '--trust', trust, '--agent', 'mira', '--json']);
    expect(JSON.parse((await checked()).out)).toMatchObject({ ok: false, rule: 'signature' });
    expect(await cli(['offer', 'sign', offer, '--key', file('mira.key'), '--out', offer])).toMatchObject({ code: 0 });
    expect(JSON.parse((await checked()).out)).toMatchObject({ ok: true });
    await cli(['offer', 'sign', offer, '--key', file('bot.key'), '--out', offer]);
    expect(JSON.parse((await checked()).out)).toMatchObject({ ok: true });
    const { out } = await cli(['offer', 'show', offer]);
    for (const part of [
      'bot (bot, version 1) may drive mira',
      'move_to, speech',
      'give',
      'position',
      'notes',
      'won',
      'mira, bot',
      'No brief.',
    ])
      expect(out).toContain(part);

    const token = (await cli(['token', 'new', offer, '--key', file('bot.key'), '--minutes', '10'])).out.trim();
    expect(readToken(token)?.claims).toMatchObject({ senderAgentId: 'bot', recipientAgentId: 'mira' });
    expect(await cli(['token', 'new', offer, '--key', file('mira.key')])).toMatchObject({
      code: 2,
      err: expect.stringContaining("the key is mira's"),
    });
    expect(await cli(['token', 'new', offer, '--key', file('bot.key'), '--minutes', '61'])).toMatchObject({ code: 2 });

    const relay = runCli([
      'relay',
      '--port',
      '0',
      '--tcp-port',
      '0',
      '--trust',
      trust,
      '--require-offer',
      'mira',
      '--state',
      file('state'),
    ]);
    await relay.shows('AICC_READY');
    const { tcp } = JSON.parse(relay.out().replace('AICC_READY ', ''));
    const session_offer = JSON.parse(await readFile(offer, 'utf8'));
    const agent = await tcpAgent(tcp, JSON.stringify({ connect: { session_offer, token } }));
    // Everything is right but that no game is there.
    expect(await agent.next()).toMatchObject({ error: { message: 'agent: no character of agent "mira" is served here' } });
    agent.close();
    relay.interrupt();
    expect(await relay.exit).toBe(0);
    expect(await readFile(file('state/audit.ndjson'), 'utf8')).toContain('"step":"agent"');
  });

  test('a private key that others may read is not used, nor a file that holds none', async () => {
    const { file, write } = await place();
    await cli(['keys', 'new', '--agent', 'driver-one', '--out', file('k')]);
    await chmod(file('k'), 0o640);
    const offer = await write('OFFER.json', localOffer());
    expect(await cli(['offer', 'sign', offer, '--key', file('k')])).toMatchObject({ code: 2, err: expect.stringContaining('chmod 600') });
    const other = await write('other', 'my secret');
    await chmod(other, 0o600);
    const refused = await cli(['offer', 'sign', offer, '--key', other]);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).not.toContain('my secret');
    await cli(['keys', 'new', '--agent', 'nobody', '--out', file('n')]);
    expect(await cli(['offer', 'sign', offer, '--key', file('n')])).toMatchObject({ code: 2, err: expect.stringContaining('is no party') });
  });
});

describe('T17: aicc offer show', () => {
  const insight: Insight = {
    code: 'x',
    severity: 'high',
    message: 'Careful\u001b[2J\u202e!',
    evidenceReferences: [],
    requirementReferences: [],
    confidence: 0.5,
  };
  const requirement: Requirement = {
    requirementId: 'r',
    requirement: 'Speaks',
    kind: 'capability',
    status: 'partial',
    reason: 'Stutters',
    confidence: 0.25,
    sources: ['contract'],
    evidenceReferences: [],
  };
  const offer = offerWith({
    offer: { privateInsights: [insight] },
    brief: {
      decision: 'CHALLENGE',
      insights: [{ ...insight, message: 'New' }],
      requirements: [requirement],
      recommendedContractChanges: ['Less'],
    },
  });

  test('prints brief and insights, and nothing that a terminal would obey', async () => {
    const { write } = await place();
    const { code, out } = await cli(['offer', 'show', await write('OFFER.json', offer)]);
    expect(code).toBe(0);
    expect(out).toContain('Brief about driver-one: CHALLENGE');
    expect(out).toContain('partial (capability, confidence 0.25): Speaks – Stutters');
    expect(out).toContain('high: New (x, confidence 0.5)');
    expect(out).toContain('recommends: Less');
    expect(out).toContain('high: Careful\\u{1b}[2J\\u{202e}! (x, confidence 0.5)');
  });

  test('with --json gives both as they are', async () => {
    const { write } = await place();
    const { out } = await cli(['offer', 'show', await write('OFFER.json', offer), '--json']);
    expect(JSON.parse(out)).toEqual({ brief: offer.counterpartyBrief, insights: [insight] });
  });
});
