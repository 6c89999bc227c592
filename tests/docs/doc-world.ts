import { randomUUID } from 'node:crypto';
import { openGameLink } from '../../plugin/game-link.ts';
import { type CharacterSlot, createBridge, defineTool, ManualClock } from '../../src/bridge/index.ts';
import { startRelay } from '../../src/relay/index.ts';
import { DocAgent, Transcript } from './transcript.ts';

const FRAME_MS = 100;
/** Loopback sockets deliver within a turn of the event loop; a message goes through several of them. */
const TURNS = 30;

const look = defineTool({
  id: 'look',
  class: 'sensor',
  capability: 'vision',
  description: 'Where you are and what you see.',
  output: {
    type: 'object',
    properties: { x: { type: 'number' }, y: { type: 'number' }, sees: { type: 'array', items: { type: 'string' } } },
  },
  snapshot: true,
  run: () => ({ x: 120, y: 80, sees: ['lantern_2', 'player'] }),
});
const walkTo = defineTool({
  id: 'walk_to',
  class: 'actuator',
  capability: 'locomotion',
  description: 'Walks there; a new walk ends the one before.',
  input: {
    type: 'object',
    properties: { x: { type: 'number' }, y: { type: 'number' } },
    required: ['x', 'y'],
  },
  lane: 'legs',
  timeoutMs: 5_000,
  async run({ x, y }, context) {
    if (x > 1_000) throw new Error('there is no way to the other shore');
    await context.sleep(x > 500 ? 60_000 : 100);
    context.progress({ x: (120 + x) / 2, y });
    await context.sleep(100);
    return { x, y };
  },
});
const say = defineTool({
  id: 'say',
  class: 'generator',
  capability: 'speech',
  description: 'Says it aloud.',
  input: { type: 'object', properties: { text: { type: 'string', maxLength: 200 } }, required: ['text'] },
  limits: { calls_per_minute: 2 },
  run: ({ text }) => ({ heard_by: text === '' ? 0 : 1 }),
});
const light = defineTool({
  id: 'light',
  class: 'actuator',
  description: 'Lights the lantern beside you. Takes oil.',
  available: () => 'no lantern is within reach; walk_to one first',
  run: () => ({}),
});
const hum = defineTool({
  id: 'hum',
  class: 'generator',
  capability: 'sound',
  description: 'Hums a tune.',
  output: { type: 'object', properties: { seconds: { type: 'number' } }, required: ['seconds'] },
  run: () => ({ seconds: 'many' }),
});
/** A small world behind a real relay. Its time moves only when the script says so, so that every run is the same. */
export class DocWorld {
  readonly clock = new ManualClock();
  readonly bridge = createBridge({ world: { name: 'lantern_hill' }, clock: this.clock, newId: randomUUID });
  mira: CharacterSlot;
  readonly #closers: (() => unknown)[] = [];
  #tcpPort = 0;

  constructor() {
    this.mira = this.#bind();
  }

  static async start(): Promise<DocWorld> {
    const world = new DocWorld();
    const relay = await startRelay({ port: 0, tcpPort: 0, clock: world.clock });
    world.#tcpPort = relay.tcpPort;
    const unlink = openGameLink({ url: relay.gameUrl, bridge: world.bridge, token: undefined });
    world.#closers.push(
      unlink,
      () => world.bridge.close(),
      () => relay.close(),
    );
    while (((await (await fetch(`${relay.url}worlds`)).json()) as unknown[]).length === 0) await settle();
    return world;
  }

  #bind(): CharacterSlot {
    return this.bridge.addCharacter('mira', {
      description: 'Helps the keeper to light the lanterns.',
      tools: [look, walkTo, say, light, hum],
      default: true,
    });
  }

  /** The body comes back after `unbind`. */
  rebind(): void {
    this.mira = this.#bind();
  }

  /** A connection on which nothing has been said. */
  dial(transcript = new Transcript()): Promise<DocAgent> {
    return DocAgent.dial(this.#tcpPort, transcript);
  }

  /** A connection with a session; how it came to be is not written down. */
  async open(request: object = {}): Promise<DocAgent> {
    const agent = await this.dial();
    agent.ask({ character: 'mira', ...request });
    await agent.skip();
    agent.transcript = new Transcript();
    return agent;
  }

  /** World and wall time pass, after all that was sent has arrived. */
  async pass(ms: number): Promise<void> {
    await settle();
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      this.clock.pass(FRAME_MS);
      this.bridge.startDue();
      this.bridge.advance(FRAME_MS);
      await settle(2);
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}

export async function settle(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
