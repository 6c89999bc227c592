import type * as Phaser from 'phaser';
import type { SceneAicc } from 'phaser-aicc';

const CELL = 16;

/** A world drawn as text: `#` is wall, letters mark places. */
export class AsciiMap {
  private readonly rows: string[];

  constructor(drawing: string) {
    this.rows = drawing
      .split('\n')
      .map((row) => row.trim())
      .filter((row) => row !== '');
  }

  isWall = (x: number, y: number): boolean => this.rows[Math.floor(y / CELL)]?.[Math.floor(x / CELL)] === '#';

  /** The middle of the cell with that mark. */
  at(mark: string): { x: number; y: number } {
    const row = this.rows.findIndex((line) => line.includes(mark));
    if (row < 0) throw new Error(`no ${mark} in the map`);
    return { x: (this.rows[row]!.indexOf(mark) + 0.5) * CELL, y: (row + 0.5) * CELL };
  }

  /** Declares it, and makes its walls solid. */
  build(scene: Phaser.Scene, ai: SceneAicc): Phaser.Physics.Arcade.StaticGroup {
    const walls = scene.physics.add.staticGroup();
    for (const [row, line] of this.rows.entries()) {
      for (const [column, mark] of [...line].entries()) {
        if (mark === '#') walls.add(scene.add.zone((column + 0.5) * CELL, (row + 0.5) * CELL, CELL, CELL));
      }
    }
    ai.map(this.isWall, { bounds: { x: 0, y: 0, width: this.rows[0]!.length * CELL, height: this.rows.length * CELL } });
    return walls;
  }
}
