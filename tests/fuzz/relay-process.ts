/** A relay with a real world behind it, in a process of its own: what the fuzz test attacks. Speaks to its parent by IPC. */

import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { connect } from '../../src/agent/node.ts';
import { wallClock } from '../../src/base/clock.ts';
import { createBridge, defineTool, ManualClock } from '../../src/bridge/index.ts';
import { startRelay } from '../../src/relay/index.ts';

export interface Measured {
  /** Bytes of the heap and of buffers after a collection, with every left session ended. */
  bytes: number;
}

const STEP_MS = 10;
const echo = defineTool({
  id: 'echo',
  class: 'sensor',
  description: 'Says back what it is told.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const,
  run: ({ text }) => ({ text }),
});

Object.assign(globalThis, { WebSocket });
const clock = new ManualClock();
const bridge = createBridge({ world: { name: 'target' }, clock, newId: randomUUID });
bridge.addCharacter('mira', { description: 'Everyone attacks her.', tools: [echo], default: true, maxSessions: 100_000 });
bridge.addCharacter('good', { description: 'Minds its own business.', tools: [echo], maxSessions: 2 });
let ahead = 0;
const relay = await startRelay({ port: 0, tcpPort: 0, clock: { ...wallClock, wallNow: () => wallClock.wallNow() + ahead } });
openGameLink({ url: relay.gameUrl, token: undefined, bridge });
setInterval(() => {
  clock.pass(STEP_MS);
  bridge.advance(STEP_MS);
}, STEP_MS);

process.on('message', async () => {
  // Sessions that were cut off wait a minute for their agents (C4), and the relay for as long (C6), until the next one comes: nobody else will.
  clock.pass(61_000);
  ahead += 80_000;
  const visitor = await connect({ url: relay.agentUrl, character: 'good' });
  await visitor.close();
  for (let time = 0; time < 2; time++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external } satisfies Measured);
});
process.on('disconnect', () => process.exit());
process.send?.({ agentUrl: relay.agentUrl, tcpPort: relay.tcpPort });
