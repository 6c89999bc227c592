import { CONTRACT_LIMITS, makeToken } from '../../contract/node.ts';
import type { Command } from './command.ts';
import { line, UsageError } from './io.ts';
import { readOfferFile } from './offer-file.ts';
import { readKeyFile } from './secret-files.ts';

const MOST_MINUTES = CONTRACT_LIMITS.tokenMs / 60_000;

export const token: Command = {
  summary: 'make the token that goes with a session offer',
  help: `aicc token new OFFER.json --key FILE [--minutes N]
Prints a token with which the offer's counterparty proves who it is. It is a secret until it ends.

  --key FILE     the counterparty's private key, made by aicc keys new
  --minutes N    how long it is good for, at most and by default ${MOST_MINUTES}`,
  options: { key: { type: 'string' }, minutes: { type: 'string' }, json: { type: 'boolean' } },
  async run(given, io) {
    given.expectWords('new', 'OFFER.json');
    if (given.words[0] !== 'new') throw new UsageError(`say aicc token new, not "${given.words[0]}"`);
    const offer = await readOfferFile(given.words[1] as string);
    const minutes = given.number('minutes', { min: 0, max: MOST_MINUTES }) ?? MOST_MINUTES;
    const { agentId, key } = await readKeyFile(given.text('key'));
    if (agentId !== offer.counterparty.agentId)
      throw new UsageError(`the key is ${agentId}'s, but the offer's counterparty is ${offer.counterparty.agentId}`);
    const claims = {
      interactionId: offer.interactionId,
      senderAgentId: agentId,
      recipientAgentId: offer.agentId,
      expiresAt: Date.now() + Math.round(minutes * 60_000),
    };
    const text = makeToken(claims, key);
    line(io.stdout, given.flag('json') ? JSON.stringify({ token: text, ...claims }) : text);
    return 0;
  },
};
