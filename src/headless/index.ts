/** Phaser in plain Node, for tests of game logic. A file that itself imports `phaser` must import `./install.ts` first. */
export { createHeadless, type Headless } from './create.ts';
