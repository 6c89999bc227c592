/** What `import 'phaser-aicc/scene'` does to the types: it is compiled, and never run. */
import type * as Phaser from 'phaser';
import 'phaser-aicc/scene';
import type { SceneAicc } from 'phaser-aicc';
import { expectTypeOf, test } from 'vitest';

function level(phaser: typeof Phaser) {
  return class Level extends phaser.Scene {
    create() {
      expectTypeOf(this.aicc).toEqualTypeOf<SceneAicc>();
      this.aicc.map(() => false);
    }
  };
}

test('with it every scene has a typed this.aicc', () => {
  expectTypeOf(level).returns.toExtend<typeof Phaser.Scene>();
  expectTypeOf<Phaser.Scene>().toHaveProperty('aicc');
});
