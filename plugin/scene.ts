/**
 * `phaser-aicc/scene`: for its effect on types alone. `import 'phaser-aicc/scene'` once in a game, and every scene has a typed `this.aicc`; without it,
 * and where the plugin is not installed in every game of a project, `aiccOf(scene)` is the same.
 */
import type { SceneAicc } from './scene-plugin.ts';

declare global {
  namespace Phaser {
    interface Scene {
      /** The scene's AI half. */
      readonly aicc: SceneAicc;
    }
  }
}
