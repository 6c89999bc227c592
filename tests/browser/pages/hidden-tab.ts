import * as Phaser from 'phaser';
import { aicc, aiccOf, type Character, defineTool } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { findWorld } from '../../../plugin/world.ts';
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
  /** Milliseconds between the heartbeats that a silent agent got. */
  heartbeatGaps: number[];
  /** How many milliseconds after its deadline each unanswered question was decided. */
  late: number[];
}

const options = new URL(location.href).searchParams;
const warnings: string[] = [];
let scene!: Phaser.Scene;
let walker!: Phaser.Physics.Arcade.Sprite;
let session: Session | undefined;
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

const nod = defineTool({ id: 'nod', class: 'sensor', description: 'Nod.', run: () => ({}) });

const heartbeats: number[] = [];
const late: number[] = [];
const DEADLINE_MS = 730;

/** From within a chain of timers: what those begin is held back the most. */
function listenSoon(level = 0): void {
  setTimeout(() => (level >= 5 && session ? listen() : listenSoon(level + 1)), 0);
}

function listen(): void {
  const port = {
    send: (text: string) => {
      if (JSON.parse(text).type === 'heartbeat') heartbeats.push(performance.now());
    },
    close: () => undefined,
  };
  findWorld(game)!.bridge!.open(port, { character: 'walker', principal: 'silent' });
  document.title = 'ready';
}

async function wonder(character: Character): Promise<void> {
  for (;;) {
    const from = performance.now();
    await character.ask({ prompt: 'Well?', tools: ['nod'], deadlineMs: DEADLINE_MS, fallback: { tool: 'nod', input: {} } });
    late.push(performance.now() - from - DEADLINE_MS);
  }
}

class Road extends Phaser.Scene {
  create() {
    scene = this;
    walker = this.physics.add.sprite(0, 0, '__WHITE').setVelocity(10, 0);
    const character = aiccOf(this).character('walker', walker, {
      description: 'Walks.',
      default: true,
      tools: [rest, nod],
      maxSessions: 2,
    });
    void drive().then(() => wonder(character));
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

listenSoon();

async function drive(): Promise<void> {
  const driver = await agentAt(game, { subscribe: ['tick', 'state_change'], model: { class: 'edge_small', expected_full_response_ms: 0 } });
  session = driver;
  driver.on('tick', ({ time_ms }) => {
    ticks++;
    worldNow = time_ms;
  });
  driver.on('state_change', ({ kind }) => {
    if (kind !== 'decision') kinds.push(kind);
  });
  void keepCalling(driver);
}

async function keepCalling(driver: Session): Promise<void> {
  for (;;) {
    const patience = new Promise((resolve) => setTimeout(resolve, 2_000));
    const call = driver.call('rest').then(
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
  for (const list of [calls.failed, heartbeats, late]) list.length = 0;
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
    heartbeatGaps: heartbeats.slice(1).map((at, index) => at - heartbeats[index]!),
    late: [...late],
  };
};

declare global {
  interface Window {
    mark(): void;
    fared(): Fared;
  }
}
