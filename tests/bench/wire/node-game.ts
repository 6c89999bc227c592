/** A game without Phaser in a process of its own: one character for everybody, whose tool says where it is asked to go. */

import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { openGameLink } from '../../../plugin/game-link.ts';
import { wallClock } from '../../../src/base/clock.ts';
import { createBridge } from '../../../src/bridge/index.ts';
import { GO } from './go.ts';

const TICK_MS = 100;

// Node 22 has one of its own.
Object.assign(globalThis, { WebSocket });
const bridge = createBridge({ world: { name: 'bench' }, clock: wallClock, newId: randomUUID });
bridge.addCharacter('ann', { description: 'Walks', tools: [GO], default: true, maxSessions: 10_000 });
for (const url of process.argv.slice(2)) openGameLink({ url, token: undefined, bridge });
setInterval(() => bridge.advance(TICK_MS), TICK_MS);
process.on('disconnect', () => process.exit());
process.send?.({});
