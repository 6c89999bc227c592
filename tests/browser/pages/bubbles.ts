import * as Phaser from 'phaser';
import { aicc, aiccOf } from 'phaser-aicc';
import { body, say } from 'phaser-aicc/kit';
import { agentAt } from '../../fixtures/event-game.ts';

/** How the world is looked at, and who speaks where. */
export interface Look {
  width?: number;
  height?: number;
  zoom?: number;
  /** Where the speaker stands, in a world of 2,000 × 1,200. */
  at: [x: number, y: number];
  text: string;
  /** The speaker is in a container of this scale. */
  container?: number;
  scrollFactor?: number;
  /** Beside the main camera: a small map of the whole world, or a camera for a HUD. */
  beside?: 'map' | 'hud';
  renderer?: 'canvas' | 'webgl';
}

/** On the screen, in its pixels; and what the letters measure there. */
export interface Seen {
  left: number;
  top: number;
  right: number;
  bottom: number;
  lineHeight: number;
  lines: string[];
  /** In how many cameras it is. */
  cameras: number;
  view: { width: number; height: number };
}

let worlds = 0;

/** Makes the world, lets somebody speak and measures the bubble. The game stays, to be looked at. */
async function look({ width = 800, height = 600, zoom = 1, at, text, container, scrollFactor, beside, renderer }: Look): Promise<Seen> {
  document.querySelector('canvas')?.remove();
  let scene!: Phaser.Scene;
  const game = await new Promise<Phaser.Game>((resolve) => {
    const made: Phaser.Game = new Phaser.Game({
      type: renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
      width,
      height,
      banner: false,
      backgroundColor: '#557755',
      audio: { noAudio: true },
      plugins: { global: [aicc({ world: `bubbles_${++worlds}` })] },
      scene: {
        create(this: Phaser.Scene) {
          scene = this;
          this.add.grid(1000, 600, 2000, 1200, 50, 50, 0x668866, 1, 0x557755);
          const hero = this.add.rectangle(at[0], at[1], 24, 32, 0xcc4444);
          if (container !== undefined) {
            hero.setPosition(0, 0);
            this.add.container(at[0], at[1], [hero]).setScale(container);
          }
          if (scrollFactor !== undefined) hero.setScrollFactor(scrollFactor);
          aiccOf(this).character('hero', hero, { description: 'Speaks.', default: true, tools: [say({ maxLength: 2000 }), body()] });
          const camera = this.cameras.main.setBounds(0, 0, 2000, 1200).setZoom(zoom);
          if (scrollFactor === undefined) camera.centerOn(...at);
          if (beside === 'map')
            this.cameras
              .add(width - 160, 0, 160, 96, false, 'map')
              .setZoom(0.08)
              .centerOn(1000, 600);
          if (beside === 'hud') this.cameras.add(0, 0, width, height, false, 'hud').ignore(this.children.list);
          this.events.once('postupdate', () => resolve(made));
        },
      },
    });
  });
  const session = await agentAt(game);
  await session.call('say', { text });
  for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => game.events.once('postrender', resolve));
  const bubble = scene.children.list.find((each) => each instanceof Phaser.GameObjects.Text) as Phaser.GameObjects.Text;
  const camera = scene.cameras.main;
  const { worldView } = camera;
  const from = (axis: 'x' | 'y', factor: number) => worldView[axis] - camera[axis === 'x' ? 'scrollX' : 'scrollY'] * (1 - factor);
  const left = (bubble.x - bubble.displayWidth / 2 - from('x', bubble.scrollFactorX)) * camera.zoom;
  const top = (bubble.y - bubble.displayHeight - from('y', bubble.scrollFactorY)) * camera.zoom;
  const lines = bubble.getWrappedText();
  return {
    left,
    top,
    right: left + bubble.displayWidth * camera.zoom,
    bottom: top + bubble.displayHeight * camera.zoom,
    lineHeight: ((bubble.displayHeight * camera.zoom) / bubble.height) * 12,
    lines,
    cameras: scene.cameras.cameras.filter(({ id }) => (bubble.cameraFilter & id) === 0).length,
    view: { width, height },
  };
}

declare global {
  interface Window {
    look: typeof look;
  }
}
window.look = look;
