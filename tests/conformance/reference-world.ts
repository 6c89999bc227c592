import { randomUUID } from 'node:crypto';
import { openGameLink } from '../../plugin/game-link.ts';
import { type Bridge, type CharacterSlot, createBridge } from '../../src/bridge/index.ts';
import type { Target, Transport } from '../../src/conformance/index.ts';
import { tcpTarget, webSocketTarget } from '../../src/conformance/index.ts';
import type { TickMode } from '../../src/protocol/index.ts';
import { startRelay } from '../../src/relay/index.ts';
import { memoryPair, openDoor } from '../../src/transport/index.ts';
import { JumpClock } from './jump-clock.ts';
import { referenceTools } from './reference-tools.ts';

const FRAME_MS = 20;
/** Longer than any jump: a jump is no silence on the line. */
const NO_PINGS = 2 ** 30;

export interface ReferenceWorld {
  readonly target: Target;
  /** Lets wall time pass, and as much of the world's, at once. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** A running world with every tool that the suite can use, to be reached by memory, or through a relay by WebSocket or TCP. */
export async function startReferenceWorld(
  transport: Transport,
  options: { tickMode?: TickMode; token?: string } = {},
): Promise<ReferenceWorld> {
  const clock = new JumpClock();
  const bridge = createBridge({
    world: { name: 'reference' },
    tickMode: options.tickMode ?? 'hybrid',
    clock,
    newId: randomUUID,
    defaultCapabilities: [],
  });
  let slot: CharacterSlot | undefined;
  let stopRebinding = () => {};
  const bind = () => {
    slot = bridge.addCharacter('ann', { description: 'Obeys the suite.', tools, default: true });
  };
  const tools = referenceTools({
    clock,
    slot: () => slot as CharacterSlot,
    loseBody(ms) {
      slot?.unbind();
      stopRebinding = clock.schedule(bind, ms);
    },
  });
  bind();
  const frame = () => {
    bridge.startDue();
    if (bridge.moving) bridge.advance(FRAME_MS);
  };
  const frames = setInterval(frame, FRAME_MS);
  const reached =
    transport === 'memory'
      ? { target: memoryTarget(bridge, clock), close() {} }
      : await behindRelay(bridge, clock, transport, options.token);
  return {
    target: reached.target,
    async pass(ms) {
      await clock.jump(ms);
      for (let passed = 0; passed < ms; passed += FRAME_MS) frame();
    },
    async close() {
      clearInterval(frames);
      stopRebinding();
      bridge.close();
      await reached.close();
    },
  };
}

async function behindRelay(bridge: Bridge, clock: JumpClock, transport: Transport, token: string | undefined) {
  const relay = await startRelay({ port: 0, tcpPort: 0, clock, limits: { pingMs: NO_PINGS }, agentToken: token });
  const joined = new Promise<void>((resolve) => {
    const look = async () => {
      const worlds = await fetch(`${relay.url}worlds`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
      if (((await worlds.json()) as unknown[]).length > 0) resolve();
      else setTimeout(look, 5);
    };
    void look();
  });
  const unlink = openGameLink({ url: relay.gameUrl, bridge, token: undefined });
  await joined;
  const where = { world: 'reference', character: 'ann', token };
  return {
    target: transport === 'websocket' ? webSocketTarget(relay.agentUrl, where) : tcpTarget(relay.host, relay.tcpPort, where),
    async close() {
      unlink();
      await relay.close();
    },
  };
}

/** What an in-page driver goes through, but for a driver from outside. */
function memoryTarget(bridge: Bridge, clock: JumpClock): Target {
  return {
    transport: 'memory',
    character: 'ann',
    async connect(events) {
      const [near, far] = memoryPair();
      near.onMessage((text) => events.text(text));
      near.onClose((end) => events.ended(end));
      openDoor(far, {
        opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
        authenticate: () => ({ name: 'anonymous' }),
        tokenRequired: false,
        clock,
        newId: randomUUID,
      });
      return {
        send: (text) => near.send(text),
        sendBytes() {},
        close: () => near.close(1000),
        cut: () => near.close(1006, 'cut'),
      };
    },
  };
}
