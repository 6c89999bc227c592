import * as Phaser from 'phaser';
import { aicc, aiccOf, defineTool } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { agentAt } from '../../fixtures/event-game.ts';

/** How a hidden page fares: a walker that goes on at 10 pixels a second, and an agent that keeps asking. */
export interface Fared {
  hidden: boolean;
  /** Milliseconds of real time, of the world and of the scene since `mark`. */
  real: number;
  world: number;
  scene: number;
  /** How far the walker has come, in pixels. */
  walked: number;
  ticks: number;
  calls: { done: number; failed: string[] };
  kinds: string[];
  warnings: string[];
}

const options = new URL(location.href).searchParams;
const warnings: string[] = [];
let scene!: Phaser.Scene;
let walker!: Phaser.Physics.Arcade.Sprite;
let session!: Session;
let worldNow = 0;
let ticks = 0;
const calls = { done: 0, failed: [] as string[] };
const kinds: string[] = [];

const rest = defineTool({
  id: 'rest',
  class: 'actuator',
  description: 'Rest for a second of world time.',
  run: async (_input, context) => {
    await context.sleep(1_000);
    return { now: context.now };
  },
});

class Road extends Phaser.Scene {
  create() {
    scene = this;
    walker = this.physics.add.sprite(0, 0, '__WHITE').setVelocity(10, 0);
    aiccOf(this).character('walker', walker, { description: 'Walks.', default: true, tools: [rest] });
    void drive();
  }
}

const game = new Phaser.Game({
  type: Phaser.CANVAS,
  width: 64,
  height: 64,
  banner: false,
  audio: { noAudio: true },
  physics: { default: 'arcade' },
  scene: Road,
  plugins: {
    global: [
      aicc({
        world: 'road',
        background: options.get('background') === 'pause' ? 'pause' : 'run',
        tickMode: options.get('tickMode') === 'event' ? 'event' : 'hybrid',
        ...(options.has('workerUrl') && { workerUrl: options.get('workerUrl')! }),
        log: (message) => warnings.push(message),
      }),
    ],
  },
});

async function drive(): Promise<void> {
  session = await agentAt(game, { subscribe: ['tick', 'state_change'], model: { class: 'edge_small', expected_full_response_ms: 0 } });
  session.on('tick', ({ time_ms }) => {
    ticks++;
    worldNow = time_ms;
  });
  session.on('state_change', ({ kind }) => kinds.push(kind));
  document.title = 'ready';
  for (;;) {
    const patience = new Promise((resolve) => setTimeout(resolve, 2_000));
    const call = session.call('rest').then(
      () => calls.done++,
      async ({ code, message }: Error & { code: string }) => {
        calls.failed.push(`${code}: ${message}`);
        await patience;
      },
    );
    await Promise.race([call, patience]);
  }
}

let from = { real: 0, world: 0, scene: 0, walked: 0, ticks: 0, done: 0 };
const measure = () => ({ real: performance.now(), world: worldNow, scene: scene.time.now, walked: walker.x, ticks, done: calls.done });

/** From now on it is measured. */
window.mark = () => {
  from = measure();
  calls.failed.length = 0;
};

window.fared = (): Fared => {
  const now = measure();
  return {
    hidden: document.hidden,
    real: now.real - from.real,
    world: now.world - from.world,
    scene: now.scene - from.scene,
    walked: now.walked - from.walked,
    ticks: now.ticks - from.ticks,
    calls: { done: now.done - from.done, failed: [...calls.failed] },
    kinds: [...kinds],
    warnings: [...warnings],
  };
};

declare global {
  interface Window {
    mark(): void;
    fared(): Fared;
  }
}
