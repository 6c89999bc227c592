import { wallClock } from '../../src/base/clock.ts';
import { uuid } from '../../src/base/uuid.ts';
import '../../src/headless/install.ts';
import type { Scene } from 'phaser';
import { aicc, aiccOf } from '../../plugin/index.ts';
import { body, moveTo, say, vision } from '../../plugin/kit/index.ts';
import { findWorld } from '../../plugin/world.ts';
import { connect } from '../../src/agent/index.ts';
import type { Bridge } from '../../src/bridge/index.ts';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { memoryPair, openDoor } from '../../src/transport/index.ts';

export const name = 'frame';

const CHARACTERS = 100;
const FRAMES = 600;
const ROUNDS = 8;

/** What the plugin adds to a frame of a game with 100 characters under 100 sessions that do nothing, at 10 ticks a second. */
export async function run() {
  const games = { bare: await play(false), driven: await play(true) };
  const best = { bare: Number.POSITIVE_INFINITY, driven: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['bare', 'driven'] as const) {
      const began = performance.now();
      for (let frame = 0; frame < FRAMES; frame++) games[kind].step();
      best[kind] = Math.min(best[kind], (performance.now() - began) / FRAMES);
      // Lets the agents take what they got.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  for (const game of Object.values(games)) game.destroy();
  const added = best.driven - best.bare;
  return {
    columns: ['', 'ms a frame'],
    rows: [
      ['100 sprites', best.bare.toFixed(4)],
      ['and the plugin, 100 characters, 100 sessions', best.driven.toFixed(4)],
      ['the plugin’s part', added.toFixed(4)],
    ],
    data: { ...best, added },
  };
}

async function play(driven: boolean): Promise<Headless> {
  const ids = Array.from({ length: CHARACTERS }, (_, n) => `wolf_${n}`);
  const headless = await createHeadless({
    physics: { default: 'arcade' },
    ...(driven && { plugins: { global: [aicc({ world: 'frames' })] } }),
    scene: {
      create(this: Scene) {
        for (const [n, id] of ids.entries()) {
          const sprite = this.physics.add.sprite((n % 10) * 60, Math.floor(n / 10) * 60, '__DEFAULT');
          if (driven) aiccOf(this).character(id, sprite, { description: 'A wolf.', tools: [vision(), body(), moveTo(), say()] });
        }
      },
    },
  });
  headless.step();
  const bridge = findWorld(headless.game)?.bridge;
  if (bridge) await Promise.all(ids.map((id) => attend(bridge, id)));
  return headless;
}

async function attend(bridge: Bridge, character: string): Promise<void> {
  const [mine, theirs] = memoryPair();
  openDoor(theirs, {
    opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
    authenticate: () => ({ name: 'anonymous' }),
    tokenRequired: false,
    clock: wallClock,
    newId: uuid,
  });
  await connect({ channel: mine, character });
}
