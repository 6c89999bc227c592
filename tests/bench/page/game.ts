/** A game in a browser: some things that move, and the character that everybody calls. Linked to the relay, and to the forwarder as well. */
import * as Phaser from 'phaser';
import { openGameLink } from '../../../plugin/game-link.ts';
import { aicc, aiccOf } from '../../../plugin/index.ts';
import { findWorld } from '../../../plugin/world.ts';
import type { Bridge } from '../../../src/bridge/index.ts';
import { GO } from '../wire/go.ts';
import { bridgeCost } from './bridge-cost.ts';

const query = new URLSearchParams(location.search);
let frames = 0;

class Field extends Phaser.Scene {
  create(): void {
    for (let n = 0; n < 20; n++) {
      const thing = this.add.rectangle(n * 30, n * 20, 16, 16, 0xffcc66);
      this.tweens.add({ targets: thing, x: 600 - n * 20, duration: 1_000 + n * 50, yoyo: true, repeat: -1 });
    }
    aiccOf(this).character('ann', null, { description: 'Walks', tools: [GO], default: true, maxSessions: 10_000 });
    const { bridge } = findWorld(this.game) as { bridge: Bridge };
    openGameLink({ url: query.get('forwarder') as string, token: undefined, bridge });
  }
}

const game = new Phaser.Game({
  type: Phaser.CANVAS,
  width: 640,
  height: 480,
  banner: false,
  audio: { noAudio: true },
  plugins: { global: [aicc({ world: 'bench', relay: query.get('relay') as string })] },
  scene: Field,
});
game.events.on(Phaser.Core.Events.POST_RENDER, () => frames++);

declare global {
  interface Window {
    /** How many frames have been painted. */
    framesPainted(): number;
    bridgeCost: typeof bridgeCost;
  }
}
window.framesPainted = () => frames;
window.bridgeCost = bridgeCost;
