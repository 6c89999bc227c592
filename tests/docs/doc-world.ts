import { randomUUID } from 'node:crypto';
import { openGameLink } from '../../plugin/game-link.ts';
import { type Bridge, type CharacterSlot, createBridge, defineTool, ManualClock, type Policy } from '../../src/bridge/index.ts';
import { type Relay, startRelay } from '../../src/relay/index.ts';
import { BadWire } from '../chaos/bad-wire.ts';
import { DocAgent } from './doc-agent.ts';
import { Transcript } from './transcript.ts';

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
const give = defineTool({
  id: 'give',
  class: 'actuator',
  description: 'Gives something that you carry. The player is asked.',
  input: { type: 'object', properties: { item: { type: 'string' }, to: { type: 'string' } }, required: ['item', 'to'] },
  run: () => ({ given: true }),
});
/** Leaves giving to the player's approval. */
const CONTRACT: Policy = { allows: () => true, needsApproval: ({ id }) => id === 'give' };

interface Wires {
  agent: BadWire;
  game: BadWire;
}

export interface DocWorldOptions {
  /** Every session is under a contract. */
  contract?: boolean;
  /** The relay can be killed. */
  mortal?: boolean;
}

/** A small world behind a real relay. Its time moves only when the script says so, so that every run is the same. */
export class DocWorld {
  readonly clock = new ManualClock();
  /** What the player answers when asked. */
  readonly answers: boolean[] = [];
  /** Whether the relay has said that it can take no more for an agent. */
  held = false;
  mira: CharacterSlot;
  readonly #options: DocWorldOptions;
  #bridge: Bridge;
  #relay: Relay | undefined;
  #unlink = () => {};
  readonly #wires: Wires | undefined;
  #gameMayCome = true;

  private constructor(options: DocWorldOptions, wires: Wires | undefined) {
    this.#options = options;
    this.#wires = wires;
    this.#bridge = this.#makeBridge();
    this.mira = this.#bind();
  }

  static async start(options: DocWorldOptions = {}): Promise<DocWorld> {
    let world: DocWorld | undefined;
    const lay = (port: (world: DocWorld) => number | undefined) => BadWire.lay(() => world && port(world), Math.random);
    const wires = options.mortal
      ? { agent: await lay((here) => here.#relay?.tcpPort), game: await lay((here) => (here.#gameMayCome ? here.#relay?.port : undefined)) }
      : undefined;
    world = new DocWorld(options, wires);
    await world.startRelay();
    world.#link();
    await world.joined();
    return world;
  }

  async startRelay(): Promise<void> {
    this.#relay = await startRelay({ port: 0, tcpPort: 0, clock: this.clock });
  }

  /** From one moment to the next it is gone, with all that it remembers. A next one waits for the game until `joined`. */
  async killRelay(): Promise<void> {
    const relay = this.#relay;
    this.#relay = undefined;
    this.#gameMayCome = false;
    this.#wires?.agent.cutAll();
    this.#wires?.game.cutAll();
    await relay?.close();
    while (this.#bridge.characters().some(({ driver }) => driver === 'agent')) await settle(1);
  }

  /** The game is at the relay. */
  async joined(): Promise<void> {
    this.#gameMayCome = true;
    while (((await (await fetch(`${this.#relay?.url}worlds`)).json()) as unknown[]).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** The page starts once more. */
  async reload(): Promise<void> {
    this.#unlink();
    this.#bridge.close();
    this.#bridge = this.#makeBridge();
    this.mira = this.#bind();
    this.#link();
    await settle();
    await this.joined();
  }

  /** Two wolves that one agent drives. @returns how the first of them dies, and its body comes to another life */
  addPack(): () => void {
    const wolves = ['wolf_1', 'wolf_2'];
    const description = 'Guards the hill.';
    const pack = this.#bridge.addCharacter('pack', { description, tools: [look, walkTo], units: () => wolves });
    return () => {
      wolves.splice(0, 1, 'wolf_3');
      pack.unitGone('wolf_1');
    };
  }

  /** The body comes back after `unbind`. */
  rebind(): void {
    this.mira = this.#bind();
  }

  /** A connection on which nothing has been said. */
  dial(transcript = new Transcript()): Promise<DocAgent> {
    return DocAgent.dial(this.#wires?.agent.port ?? (this.#relay?.tcpPort as number), transcript);
  }

  dialWebSocket(transcript = new Transcript()): Promise<DocAgent> {
    return DocAgent.dialWebSocket(this.#relay?.agentUrl as string, transcript);
  }

  /** A connection with a session; how it came to be is not written down. */
  async open(request: object = {}, dialled = this.dial()): Promise<DocAgent> {
    const agent = await dialled;
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
      this.#bridge.startDue();
      this.#bridge.advance(FRAME_MS);
      await settle(2);
    }
  }

  async close(): Promise<void> {
    this.#unlink();
    this.#bridge.close();
    await this.#relay?.close();
    await this.#wires?.agent.remove();
    await this.#wires?.game.remove();
  }

  #makeBridge(): Bridge {
    return createBridge({
      world: { name: 'lantern_hill' },
      clock: this.clock,
      newId: randomUUID,
      approve: () => Promise.resolve(this.answers.shift() === true),
      ...(this.#options.contract && { policyFor: () => CONTRACT }),
    });
  }

  #bind(): CharacterSlot {
    return this.#bridge.addCharacter('mira', {
      description: 'Helps the keeper to light the lanterns.',
      tools: [look, walkTo, say, light, hum, ...(this.#options.contract ? [give] : [])],
      default: true,
    });
  }

  #link(): void {
    const url = this.#wires === undefined ? (this.#relay?.gameUrl as string) : `ws://127.0.0.1:${this.#wires.game.port}/game`;
    this.#unlink = openGameLink({ url, bridge: this.#watched(this.#bridge), token: undefined });
  }

  /** The bridge as the link sees it: what it says of `hold` is noted. */
  #watched(bridge: Bridge): Bridge {
    const open: Bridge['open'] = (port, request) => {
      const answer = bridge.open(port, request);
      if ('error' in answer) return answer;
      return {
        ...answer,
        hold: (held) => {
          this.held = held;
          answer.hold(held);
        },
      };
    };
    return new Proxy(bridge, {
      get(target, name) {
        if (name === 'open') return open;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }
}

export async function settle(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
