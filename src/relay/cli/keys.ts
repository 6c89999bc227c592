import { newKeyPair } from '../../contract/node.ts';
import type { Command } from './command.ts';
import { line, UsageError } from './io.ts';
import { writeSecret } from './secret-files.ts';

export const keys: Command = {
  summary: 'make a pair of keys for session offers',
  help: `aicc keys new --agent AGENT_ID --out FILE [--key-id ID]
Makes an Ed25519 pair. The private key goes into FILE, which only you may read (mode 0600) and which must not be there yet.
What it prints is the public half, as one entry of the "keys" in the file for --trust.

  --agent AGENT_ID  whose key it is: a character's game, or an agent that drives
  --out FILE        for the private key
  --key-id ID       default AGENT_ID#1`,
  options: { agent: { type: 'string' }, out: { type: 'string' }, 'key-id': { type: 'string' }, json: { type: 'boolean' } },
  async run(given, io) {
    given.expectWords('new');
    if (given.words[0] !== 'new') throw new UsageError(`say aicc keys new, not "${given.words[0]}"`);
    const agentId = given.text('agent');
    const out = given.text('out');
    if (!agentId) throw new UsageError('--agent is missing: whose key it is');
    if (!out) throw new UsageError('--out is missing: the file for the private key');
    const keyId = given.text('key-id') || `${agentId}#1`;
    const { privateKey, publicKey } = newKeyPair();
    await writeSecret(out, `${JSON.stringify({ agentId, keyId, publicKey, privateKey }, null, 2)}\n`);
    line(io.stdout, JSON.stringify({ agentId, keyId, publicKey }));
    return 0;
  },
};
