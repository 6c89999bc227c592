import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { type Bridge, type CharacterSlot, createBridge, defineTool, ManualClock } from '../../src/bridge/index.ts';
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';

const body = defineTool({ id: 'body', class: 'sensor', description: 'Where you are', snapshot: true, run: () => ({ x: 3 }) });
const say = defineTool({
  id: 'say',
  class: 'generator',
  capability: 'speech',
  description: 'Says it aloud',
  input: { type: 'object', properties: { text: { type: 'string' }, loud: { type: 'boolean' } }, required: ['text'] },
  run: ({ text }) => ({ said: text }),
});
/** Tells of every `sleep` that begins. */
export const naps = new EventEmitter();
const sleep = defineTool({
  id: 'sleep',
  class: 'actuator',
  description: 'Until woken',
  run(_input, context) {
    naps.emit('asleep');
    return context.until(() => false);
  },
});

/** A real relay on a free port, without a game. */
export async function liveRelay(options: RelayOptions = {}): Promise<Relay> {
  const relay = await startRelay({ port: 0, tcpPort: 0, ...options });
  onTestFinished(() => relay.close());
  return relay;
}

/** A real bridge, linked to a relay as a game's page does it. Its characters: Ann (default) and Bob. */
export async function joinWorld(
  relay: Relay,
  gameToken?: string,
): Promise<{ bridge: Bridge; ann: CharacterSlot; bob: CharacterSlot; clock: ManualClock }> {
  // Node 20 has no WebSocket of its own; the one of `ws` has the browser's interface.
  vi.stubGlobal('WebSocket', WebSocket);
  const clock = new ManualClock();
  const bridge = createBridge({ world: { name: 'hill' }, clock, newId: randomUUID });
  const ann = bridge.addCharacter('ann', { description: 'Walks and talks', tools: [body, say, sleep], default: true });
  const bob = bridge.addCharacter('bob', { description: 'Stands', tools: [body] });
  const close = openGameLink({ url: relay.gameUrl, bridge, token: gameToken === undefined ? undefined : () => gameToken });
  onTestFinished(() => {
    close();
    bridge.close();
    vi.unstubAllGlobals();
  });
  return { bridge, ann, bob, clock };
}
