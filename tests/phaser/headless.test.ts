import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { afterEach, expect, test } from 'vitest';
import { createHeadless, type Headless } from '../../src/headless/index.ts';

let open: Headless | undefined;
afterEach(() => open?.destroy());

async function start(scene: Phaser.Types.Scenes.SceneType, more: Phaser.Types.Core.GameConfig = {}): Promise<Headless> {
  open = await createHeadless({ scene, ...more });
  return open;
}

test('Phaser runs in plain Node: scenes, Arcade bodies, timers and tweens follow the steps alone', async () => {
  const seen = { created: 0, updates: 0, timer: 0, tween: 0 };
  class Field extends Phaser.Scene {
    create() {
      seen.created++;
      const sprite = this.physics.add.sprite(100, 100, 'nothing');
      sprite.setVelocity(60, 0);
      this.data.set('sprite', sprite);
      this.time.delayedCall(500, () => seen.timer++);
      const box = { x: 0 };
      this.tweens.add({ targets: box, x: 100, duration: 1000, onUpdate: () => (seen.tween = box.x) });
      this.add.text(0, 0, 'words do not need a canvas');
      this.add.graphics().fillRect(0, 0, 4, 4);
    }
    override update() {
      seen.updates++;
    }
  }
  const { game, run } = await start(Field, { physics: { default: 'arcade' } });
  run(490);
  expect(seen).toMatchObject({ created: 1, timer: 0 });
  run(510);
  expect(seen.timer).toBe(1);
  expect(seen.tween).toBeGreaterThan(90);
  const sprite = game.scene.scenes[0]!.data.get('sprite') as Phaser.Physics.Arcade.Sprite;
  expect(sprite.x).toBeGreaterThan(155);
  expect(sprite.x).toBeLessThan(162);
  expect(seen.updates).toBe(60);
});

test('callbacks.preBoot of the config is kept, and destroy ends scenes and game at once', async () => {
  const events: string[] = [];
  class Empty extends Phaser.Scene {
    create() {
      this.sys.events.once(Phaser.Scenes.Events.DESTROY, () => events.push('scene destroyed'));
    }
  }
  const headless = await start(Empty, { callbacks: { preBoot: () => events.push('preBoot') } });
  headless.step();
  headless.game.events.once(Phaser.Core.Events.DESTROY, () => events.push('game destroyed'));
  headless.destroy();
  headless.destroy();
  expect(events).toEqual(['preBoot', 'scene destroyed', 'game destroyed']);
});

test('the same seed gives the same numbers, whatever ran before', async () => {
  const draw = async () => {
    let drawn: number[] = [];
    class Dice extends Phaser.Scene {
      create() {
        drawn = [Phaser.Math.RND.integer(), Phaser.Math.RND.integer()];
      }
    }
    const { step, destroy } = await start(Dice, { seed: ['a', '7'] });
    step();
    destroy();
    return drawn;
  };
  expect(await draw()).toEqual(await draw());
});
