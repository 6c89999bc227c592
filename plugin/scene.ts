/**
 * `phaser-aicc/scene`: gives every Phaser scene a typed `this.aicc`. Import it once, anywhere in the game: `import 'phaser-aicc/scene'`. It
 * changes types alone and adds no code, so it is an entry of its own: a project in which only some games use the plugin leaves it out and
 * writes `aiccOf(scene)`, which returns the same.
 */
import type { SceneAicc } from './scene-plugin.ts';

declare global {
  namespace Phaser {
    interface Scene {
      /** Declares this scene's characters and things. `phaser-aicc` puts it there when the game installs `aicc()`. */
      readonly aicc: SceneAicc;
    }
  }
}
