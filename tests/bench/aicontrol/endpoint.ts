/** A relay with an AiControl endpoint, and behind it, in this process too, a game without Phaser. Prints the endpoint's port. */

import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { openGameLink } from '../../../plugin/game-link.ts';
import { wallClock } from '../../../src/base/clock.ts';
import { createBridge, defineTool } from '../../../src/bridge/index.ts';
import { startRelay } from '../../../src/relay/index.ts';

const TICK_MS = 100;

const relay = await startRelay({ port: 0, tcpPort: 0, aicontrol: { character: 'ann', port: 0 } });
const bridge = createBridge({ world: { name: 'hill' }, clock: wallClock, newId: randomUUID });
bridge.addCharacter('ann', {
  description: 'Walks',
  tools: [
    defineTool({
      id: 'vision',
      class: 'sensor',
      description: 'Twenty things',
      snapshot: true,
      run: ({ tick }: { tick?: number }) => ({
        seen: Array.from({ length: 20 }, (_, n) => ({
          id: `thing_${n}`,
          kind: 'lantern',
          position: { x: n * 16, y: 8 },
          distance: n,
          tick: tick ?? 0,
        })),
      }),
    }),
    defineTool({ id: 'step', class: 'actuator', description: 'One step', run: () => ({ steps: 1 }) }),
  ],
});
(globalThis as { WebSocket?: unknown }).WebSocket ??= WebSocket;
openGameLink({ url: relay.gameUrl, token: undefined, bridge });
setInterval(() => bridge.advance(TICK_MS), TICK_MS);
console.log(relay.aicontrolPort);
