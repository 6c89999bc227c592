import { randomUUID } from 'node:crypto';
import { openGameLink } from '../../plugin/game-link.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { type ApprovalRequest, type Bridge, type CharacterSlot, createBridge, type Policy } from '../../src/bridge/index.ts';
import type { Target, Transport } from '../../src/conformance/index.ts';
import { tcpTarget, webSocketTarget } from '../../src/conformance/index.ts';
import type { TickMode } from '../../src/protocol/index.ts';
import { startRelay } from '../../src/relay/index.ts';
import { memoryPair, openDoor } from '../../src/transport/index.ts';
import { JumpClock } from './jump-clock.ts';
import { referenceTools, type Stage } from './reference-tools.ts';

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
    policyFor: () => CONTRACT,
    approve,
  });
  let slot: CharacterSlot | undefined;
  let stopRebinding = () => {};
  const bind = () => {
    slot = bridge.addCharacter('ann', { description: 'Obeys the suite.', tools, default: true });
  };
  const told: Stage['told'] = [];
  const tools = referenceTools({
    clock,
    told,
    slot: () => slot as CharacterSlot,
    loseBody(ms) {
      slot?.unbind();
      stopRebinding = clock.schedule(bind, ms);
    },
  });
  bind();
  driveInPage(bridge, told);
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

/** What every session is bound by (D4, D9). What it does not allow grants no capability either. */
const CONTRACT: Policy = {
  allows: ({ id }) => (['conformance_forbidden', 'conformance_hidden'].includes(id) ? 'the contract leaves it to the player' : true),
  needsApproval: ({ id }) => id === 'conformance_approved',
};

/** A person, who does as the call says. */
function approve({ input }: ApprovalRequest): Promise<boolean> {
  return input.answer === 'never' ? new Promise(() => {}) : Promise.resolve(input.answer === 'yes');
}

/** A driver in the page (B6): calls a tool whenever it is told about its control, and keeps how that ended. */
function driveInPage(bridge: Bridge, told: Stage['told']): void {
  let session = '';
  const kinds = new Map<string, string>();
  const port = {
    send(text: string) {
      const { call_id = '', error, payload, session_id, type } = JSON.parse(text) as Heard;
      if (type === 'session_init') session = session_id;
      const kind = kinds.get(call_id);
      if (kind !== undefined) told.push([kind, error === undefined ? 'ok' : `${error.code}${error.retryable ? ', retryable' : ''}`]);
      if (payload?.kind === 'control_lost' || payload?.kind === 'control_gained') queueMicrotask(() => call(payload.kind as string));
    },
    close() {},
  };
  const driver = bridge.openYielding(port, 'ann', 'scripted');
  const call = (kind: string) => {
    const call_id = randomUUID();
    kinds.set(call_id, kind);
    const wanted = { tool: 'conformance_echo', input: { text: kind } };
    if (!('error' in driver))
      driver.message(
        JSON.stringify({ protocol: 'aicc/0.1', type: 'tool_call', session_id: session, message_id: randomUUID(), call_id, ...wanted }),
      );
  };
}

interface Heard {
  type: string;
  session_id: string;
  call_id?: string;
  error?: { code: string; retryable: boolean };
  payload?: JsonObject;
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
        pause() {},
        resume() {},
        close: () => near.close(1000),
        cut: () => near.close(1006, 'cut'),
      };
    },
  };
}
