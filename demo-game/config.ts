import * as Phaser from 'phaser';
import { type Approve, aicc } from 'phaser-aicc';
import { policyFor } from 'phaser-aicc/contract';
import type { Options } from './options.ts';
import { BootScene } from './scenes/boot.ts';
import { EndScene } from './scenes/end.ts';
import { HudScene } from './scenes/hud.ts';
import { registryKey } from './scenes/keys.ts';
import { NightScene } from './scenes/night.ts';
import { PauseScene } from './scenes/pause.ts';
import { TitleScene } from './scenes/title.ts';

const types = { auto: Phaser.AUTO, canvas: Phaser.CANVAS, webgl: Phaser.WEBGL };

/** What the game in a page and the game without a screen have in common. */
function common(options: Options, approve?: Approve): Phaser.Types.Core.GameConfig {
  const ai = aicc({
    world: 'lantern_night',
    seed: options.seed,
    contracts: policyFor,
    ...(approve && { approve }),
  });
  return {
    plugins: { global: [ai] },
    physics: { default: 'arcade', arcade: { gravity: { x: 0, y: 0 } } },
    seed: [options.seed],
    callbacks: {
      preBoot(game) {
        game.registry.set(registryKey.options, options);
        ai.preBoot(game);
      },
    },
  };
}

/** The game in a page. `approve` asks the player where a contract wants it. */
export function pageConfig(
  options: Options,
  parent: string,
  size: { width: number; height: number; zoom: number },
  approve: Approve,
): Phaser.Types.Core.GameConfig {
  return {
    ...common(options, approve),
    type: types[options.renderer],
    parent,
    backgroundColor: '#1b1428',
    pixelArt: true,
    roundPixels: true,
    banner: false,
    disableContextMenu: true,
    scale: { mode: Phaser.Scale.NONE, width: size.width, height: size.height, zoom: size.zoom },
    input: { keyboard: true, mouse: true, touch: true, gamepad: false, activePointers: 3 },
    scene: [BootScene, TitleScene, NightScene, HudScene, PauseScene, EndScene],
  };
}

/** The night alone, for a machine without a screen: no title, no overlays, nothing drawn, nobody to ask. */
export function headlessConfig(options: Options): Phaser.Types.Core.GameConfig {
  return { ...common(options), width: 480, height: 270, scene: [NightScene] };
}
