import * as Phaser from 'phaser';
import { agentAt, playBySeed, type Yard, yardPlugin, yardScene } from '../../fixtures/event-game.ts';

export interface Played {
  told: number;
  collisions: number;
  /** SHA-256 of everything that was answered and told. */
  hash: string;
  /** How often the scene was drawn. */
  drawn: number;
}

/** Plays the yard once by a seed. `frames`: as the browser paints, or made by hand, of any length and as fast as it goes. */
async function play(seed: string, steps: number, frames: 'painted' | 'made'): Promise<Played> {
  let yard: Yard | undefined;
  const game = await new Promise<Phaser.Game>((resolve) => {
    const made: Phaser.Game = new Phaser.Game({
      type: Phaser.CANVAS,
      width: 64,
      height: 64,
      banner: false,
      audio: { noAudio: true },
      seed: ['yard'],
      physics: { default: 'arcade' },
      plugins: { global: [yardPlugin('yard', { tickRateHz: 60 })] },
      scene: yardScene(Phaser, (created) => {
        yard = created;
        resolve(made);
      }),
    });
  });
  if (frames === 'made') game.loop.sleep();
  const session = await agentAt(game, { subscribe: ['tick', 'collision', 'state_change'] });
  const playing = playBySeed(session, seed, steps);
  let done = false;
  void playing.finally(() => {
    done = true;
  });
  if (frames === 'made') {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      if (done) return;
      game.step(performance.now(), Math.random() * 40);
      port2.postMessage(0);
    };
    port2.postMessage(0);
  }
  const told = await playing;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(told.join('\n')));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const drawn = yard?.drawn() ?? 0;
  game.destroy(true);
  return { told: told.length, collisions: told.filter((line) => line.startsWith('collision')).length, hash, drawn };
}

declare global {
  interface Window {
    play: typeof play;
  }
}
window.play = play;
