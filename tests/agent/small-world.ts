import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Bridge, type BridgeOptions, type CharacterOptions, createBridge, defineTool, ManualClock } from '../../src/bridge/index.ts';
import { type Channel, type Door, memoryPair, openDoor } from '../../src/transport/index.ts';

export const body = defineTool({
  id: 'body',
  class: 'sensor',
  description: 'Where you are',
  snapshot: true,
  run: (_input, context) => ({ at: context.now }),
});
export const walk = defineTool({
  id: 'walk',
  class: 'actuator',
  description: 'Walk for a while',
  input: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  lane: 'legs',
  run: async ({ ms }, context) => {
    await context.sleep(ms);
    return { walked: ms };
  },
});
export const dance = defineTool({ id: 'dance', class: 'actuator', description: 'Dance', run: () => ({}) });

export interface SmallWorld {
  bridge: Bridge;
  clock: ManualClock;
  /** A channel whose other end is at the bridge's door. */
  enter(): { channel: Channel; door: Door };
}

/** A real bridge with one character, Ann, reached by memory channels. Its clock and its world time move only when told. */
export function smallWorld(character: Partial<CharacterOptions> = {}, options: Partial<BridgeOptions> = {}): SmallWorld {
  const clock = new ManualClock();
  const bridge = createBridge({ world: { name: 'hill' }, clock, newId: randomUUID, ...options });
  bridge.addCharacter('ann', { description: 'Walks', tools: [body, walk], default: true, ...character });
  onTestFinished(() => bridge.close('the test is over'));
  const enter = () => {
    const [channel, bridgeEnd] = memoryPair();
    const door = openDoor(bridgeEnd, {
      opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
      authenticate: () => ({ name: 'anonymous' }),
      tokenRequired: false,
      clock,
      newId: randomUUID,
    });
    return { channel, door };
  };
  return { bridge, clock, enter };
}
