import * as Phaser from 'phaser';
import type { OptionKind } from '../src/base/check-options.ts';
import { TICK_MODES, TOOL_CLASSES } from '../src/protocol/index.ts';
import { AiccScenePlugin } from './scene-plugin.ts';
import { findWorld, type OpenWorld, World, type WorldOptions } from './world.ts';

/** Where `this.aicc` comes from. */
const MAPPING = 'aicc';

interface InstallData {
  options: WorldOptions;
  openWorld: OpenWorld;
}

/** What stands in `plugins.global` of a game config. */
export interface AiccPluginEntry extends Phaser.Types.Plugins.GlobalPlugin {
  /** Tells Phaser to start it at boot. */
  readonly start: true;
  /** The options, for the plugin itself. */
  readonly data: object;
  /** Installs it at boot: for `callbacks.preBoot`, since a HEADLESS game forgets its global plugins. Harmless beside the entry itself. */
  preBoot(game: Phaser.Game): void;
}

/** The global half: owns the world while it is installed and started. */
class AiccPlugin extends Phaser.Plugins.BasePlugin {
  #data: InstallData | undefined;
  #world: World | undefined;

  override init(data: InstallData): void {
    this.#data = data;
  }

  override start(): void {
    const { game } = this;
    const data = this.#data;
    if (!data || this.#world?.bridge) return;
    const other = findWorld(game);
    if (other?.bridge) {
      // The same entry may come by the config and by preBoot.
      if (other.options === data.options) return;
      throw new Error(
        `aicc: this game is the world '${other.options.world}' already and cannot be '${data.options.world}' too; install aicc() once`,
      );
    }
    this.#world = new World(game, data.options, data.openWorld);
    const { scenePlugins } = game.plugins as unknown as { scenePlugins: string[] };
    if (!scenePlugins.includes(MAPPING)) game.plugins.installScenePlugin(MAPPING, AiccScenePlugin, MAPPING);
  }

  override stop(): void {
    this.#world?.close('the plugin was stopped');
  }

  override destroy(): void {
    this.#world?.close();
    super.destroy();
  }
}

/** Every option of a world, for `checkOptions`. */
export const WORLD_OPTIONS: Record<keyof WorldOptions, OptionKind> = {
  world: 'any',
  tickMode: 'string',
  freeze: 'boolean',
  barrier: 'string',
  advanceOn: 'list',
  background: 'string',
  workerUrl: 'string',
  log: 'function',
  tickRateHz: 'positive',
  seed: 'string',
  defaultCapabilities: 'list',
  approve: 'function',
  contracts: 'function',
};

let installed = 0;

function oneOf(option: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new TypeError(`aicc({ ${option}: '${value}' }): ${option} must be ${allowed.map((each) => `'${each}'`).join(' or ')}`);
}

/** @throws TypeError for options that cannot work */
export function pluginEntry(options: WorldOptions, openWorld: OpenWorld): AiccPluginEntry {
  if (typeof options?.world !== 'string' || options.world === '') {
    throw new TypeError("aicc({ world }): world must be a name by which agents find the game, like 'lantern_night'");
  }
  oneOf('tickMode', options.tickMode, TICK_MODES);
  oneOf('barrier', options.barrier, ['any', 'all']);
  oneOf('background', options.background, ['run', 'pause']);
  for (const toolClass of options.advanceOn ?? []) oneOf('advanceOn', toolClass, TOOL_CLASSES);
  const data: InstallData = { options, openWorld };
  const entry: AiccPluginEntry = {
    // Phaser keeps one table of plugin keys for all games of a page, and a destroyed game leaves it only at its next frame: each boot gets its own key.
    get key() {
      return `aicc_${++installed}`;
    },
    plugin: AiccPlugin,
    start: true,
    data,
    preBoot(game) {
      game.plugins.install(entry.key, AiccPlugin, true, undefined, data);
    },
  };
  return entry;
}
