import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { CallError, connect, type Session } from '../../src/agent/node.ts';
import { wallClock } from '../../src/base/clock.ts';
import { type Bridge, createBridge, defineTool, ToolError } from '../../src/bridge/index.ts';
import { seededRandom } from '../../src/bridge/random.ts';
import { isLong } from '../support/extent.ts';
import { BadWire } from './bad-wire.ts';
import { countListeners } from './count-listeners.ts';
import { MortalRelay } from './mortal-relay.ts';

const SEED = process.env.CHAOS_SEED ?? randomUUID();
/** What a whole run is. `kills` are among the cuts. */
const WHOLE = { calls: 20_000, cuts: 2_000, gameCuts: 20, kills: 20 } as const;
/** Fewer calls, and of all else in proportion: in `npm test`, and for who looks for something. */
const CALLS = Number(process.env.CHAOS_CALLS ?? (isLong ? WHOLE.calls : WHOLE.calls / 10));
const FEWEST_CALLS = WHOLE.calls / WHOLE.kills;
const part = (whole: number) => Math.floor((whole * CALLS) / WHOLE.calls);
const LEAST = { calls: CALLS, cuts: part(WHOLE.cuts), gameCuts: part(WHOLE.gameCuts), kills: part(WHOLE.kills) };
/** Calls between two of each kind. Kills come closer together, so that the last relay lives long enough to leave something behind. */
const EVERY = { cut: 10, gameCut: 1_000, kill: 700 } as const;
const AGENTS = 40;
/** Calls of one agent under way at once. */
const AT_ONCE = 4;
/** A minute on a quiet machine. One that is too busy for it in this time fails. */
const TIMEOUT_MS = 400_000;
const STEP_MS = 10;
/** What a heap may differ by after a collection: code that was compiled meanwhile, buffers. 300 bytes a call are 6 MB. */
const MEMORY_MARGIN = 6_000_000;
const RELAY_MARGIN = 2_000_000;

/** For a busy machine, once nothing is broken any more. */
const PATIENT = { timeout: 30_000 };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What a call came to, as its agent was told. */
type Outcome = 'done' | 'refused' | 'cancelled';

/** A world whose characters note each run of their tool, and tell about it in numbered events. */
function gameWorld(runs: Map<string, number>): { bridge: Bridge; listeners(): number; stop(): void } {
  const whole = createBridge({ world: { name: 'storm' }, clock: wallClock, newId: randomUUID });
  let listeners = 0;
  const bridge = new Proxy(whole, {
    get(_target, key) {
      if (key === 'onChange')
        return (listener: () => void) => {
          const stop = whole.onChange(listener);
          listeners++;
          return () => {
            listeners--;
            stop();
          };
        };
      const member: unknown = Reflect.get(whole, key, whole);
      return typeof member === 'function' ? member.bind(whole) : member;
    },
  });
  const told = new Map<string, number>();
  const act = defineTool({
    id: 'act',
    class: 'actuator',
    description: 'Notes that it ran, and takes its time.',
    input: {
      type: 'object',
      properties: { id: { type: 'string' }, ms: { type: 'number' }, fails: { type: 'boolean' } },
      required: ['id', 'ms', 'fails'],
    } as const,
    run: async ({ id, ms, fails }, context) => {
      runs.set(id, (runs.get(id) ?? 0) + 1);
      const number = told.get(context.characterId) ?? 0;
      told.set(context.characterId, number + 1);
      slots.get(context.characterId)?.emit('state_change', { kind: 'ran', number });
      if (ms > 0) await context.sleep(ms);
      if (fails) throw new ToolError('execution_failed', `no ${id}`);
      return { id };
    },
  });
  const slots = new Map(
    Array.from({ length: AGENTS }, (_, index) => {
      const id = `agent_${index}`;
      return [id, bridge.addCharacter(id, { description: 'Acts.', tools: [act] })] as const;
    }),
  );
  const timer = setInterval(() => {
    bridge.startDue();
    bridge.advance(STEP_MS);
  }, STEP_MS);
  return {
    bridge,
    listeners: () => listeners,
    stop() {
      clearInterval(timer);
      bridge.close();
    },
  };
}

/** Memory after a collection, and the kinds of what keeps this process alive. */
async function measure(): Promise<{ bytes: number; timers: number; sockets: number; listeners: number }> {
  // What is closed lets go of the last things in turns of its own.
  await new Promise((resolve) => setTimeout(resolve, 200));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const kinds = process.getActiveResourcesInfo();
  const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
  return { bytes: heapUsed + external, timers: count('Timeout'), sockets: count('TCPSocketWrap'), listeners: countListeners() };
}

test(
  `C6: through ${LEAST.cuts} cuts, ${LEAST.kills} of them SIGKILLs of the relay, ${CALLS} calls run once at most and have one outcome, events keep their order, nothing stays behind`,
  async () => {
    if (!(CALLS >= FEWEST_CALLS)) throw new RangeError(`CHAOS_CALLS must be at least ${FEWEST_CALLS}, so that there is a kill among them`);
    console.log(`CHAOS_SEED=${SEED}`);
    const random = seededRandom(SEED);
    vi.stubGlobal('WebSocket', WebSocket);
    onTestFinished(() => void vi.unstubAllGlobals());
    const relay = await MortalRelay.prepare();
    onTestFinished(() => relay.dispose());
    const wires = {
      game: await BadWire.lay(() => relay.ports?.port, random),
      web: await BadWire.lay(() => relay.ports?.port, random),
      tcp: await BadWire.lay(() => relay.ports?.tcpPort, random),
    };
    const all = Object.values(wires);
    onTestFinished(async () => {
      for (const wire of all) await wire.remove();
    });
    await relay.start([wires.game, wires.web].map(({ port }) => `127.0.0.1:${port}`));

    const runs = new Map<string, number>();
    const world = gameWorld(runs);
    onTestFinished(() => world.stop());
    const closeLink = openGameLink({ url: `ws://127.0.0.1:${wires.game.port}/game`, token: undefined, bridge: world.bridge });
    onTestFinished(closeLink);

    const enter = (index: number) =>
      connect({
        ...(index % 2 === 0 ? { url: `ws://127.0.0.1:${wires.web.port}/agent` } : { port: wires.tcp.port }),
        character: `agent_${index}`,
        subscribe: index % 4 === 0 ? ['state_change', 'tick'] : ['state_change'],
        model: { class: 'edge_small', expected_full_response_ms: 0 },
        waitMs: 20_000,
      });
    /** Everything has been used once, so what stays afterwards has been left behind. */
    const warmUp = await enter(0);
    await warmUp.call('act', { id: 'warm', ms: 0, fails: false });
    await warmUp.close();
    await vi.waitUntil(() => wires.web.connections === 0, PATIENT);
    const before = await measure();
    const relayBefore = await relay.measure();

    const sessions = await Promise.all(Array.from({ length: AGENTS }, (_, index) => enter(index)));
    const outcomes = new Map<string, Outcome>();
    const wrong: string[] = [];
    const events = sessions.map(() => [] as number[]);
    const told = { lost: 0, resumed: 0 };
    for (const [index, session] of sessions.entries()) {
      let tick = -1;
      session.on('state_change', ({ kind, number }) => void (kind === 'ran' && events[index]?.push(number as number)));
      if (index % 4 === 0)
        session.on('tick', (payload) => {
          // The first after a resume may show the same tick as the last before.
          if (payload.tick < tick) wrong.push(`agent ${index}: tick ${payload.tick} after ${tick}`);
          tick = payload.tick;
        });
      session.on('lost', () => told.lost++);
      session.on('resumed', () => told.resumed++);
      session.on('close', ({ code, reason }) => {
        if (code !== 1000) wrong.push(`agent ${index} was closed with ${code} ${reason}`);
      });
      session.on('error', ({ message }) => {
        if (!message.startsWith('tool_unavailable: The ')) wrong.push(`agent ${index}: ${message}`);
      });
    }

    let begun = 0;
    let done = 0;
    let kills = 0;
    const owed = { agents: 0, game: 0 };
    let killing: Promise<void> = Promise.resolve();
    /** Chaos goes with the work: a machine twice as slow is cut half as often. */
    const harm = () => {
      if (done % EVERY.kill === EVERY.kill / 2 && kills < LEAST.kills) {
        kills++;
        killing = killing.then(() => {
          const next = relay.kill(random() * 200);
          for (const wire of all) wire.cutAll();
          return next;
        });
      }
      if (done % EVERY.gameCut === EVERY.gameCut / 2) owed.game++;
      else if (done % EVERY.cut === 0) owed.agents++;
      // While the relay is dead there may be nothing to cut: the cut comes later then.
      if (owed.game > 0 && wires.game.cutOne()) owed.game--;
      if (owed.agents > 0 && ((random() < 0.5 ? wires.web : wires.tcp).cutOne() || wires.web.cutOne() || wires.tcp.cutOne())) owed.agents--;
    };
    const one = async (session: Session, id: string): Promise<void> => {
      const ms = random() < 0.7 ? 0 : Math.floor(random() * 30);
      const fails = random() < 0.05;
      const abort = new AbortController();
      if (random() < 0.03) setTimeout(() => abort.abort(), random() * 30);
      let outcome: Outcome = 'done';
      try {
        const output = await session.call('act', { id, ms, fails }, { signal: abort.signal, awaitOutcome: true });
        if (output.id !== id || fails) wrong.push(`${id} gave ${JSON.stringify(output)}`);
      } catch (error) {
        const message = error instanceof CallError ? `${error.code} ${error.message}` : String(error);
        if (message === `execution_failed no ${id}` && fails) outcome = 'refused';
        else if (message === 'execution_failed cancelled' && abort.signal.aborted) outcome = 'cancelled';
        else wrong.push(`${id}: ${message}`);
      }
      if (outcomes.has(id)) wrong.push(`${id} has two outcomes`);
      outcomes.set(id, outcome);
      done++;
      harm();
    };
    const work = async (session: Session, index: number): Promise<void> => {
      while (begun < CALLS) await one(session, `${index}/${begun++}`);
    };
    await Promise.all(sessions.flatMap((session, index) => Array.from({ length: AT_ONCE }, () => work(session, index))));
    await killing;
    const cuts = all.reduce((sum, wire) => sum + wire.cuts, kills);
    console.log(
      `${done} calls, ${cuts} cuts (${wires.game.cuts} of the game, ${kills} kills); ${told.lost} losses, ${told.resumed} resumed`,
    );

    expect(wrong).toEqual([]);
    expect(outcomes.size).toBe(LEAST.calls);
    const twice = [...runs].filter(([, times]) => times !== 1);
    expect(twice).toEqual([]);
    for (const [id, outcome] of outcomes) if (outcome !== 'cancelled') expect(runs.get(id)).toBe(1);
    expect(cuts).toBeGreaterThanOrEqual(LEAST.cuts);
    expect(wires.game.cuts).toBeGreaterThanOrEqual(LEAST.gameCuts);
    expect(kills).toBe(LEAST.kills);
    expect(told.lost).toBeGreaterThan(cuts / 2);

    await vi.waitUntil(() => told.resumed === told.lost, PATIENT);
    await Promise.all(sessions.map((session) => session.close()));
    const ran = (index: number) => [...runs.keys()].filter((id) => id.startsWith(`${index}/`)).length + (index === 0 ? 1 : 0);
    for (const [index, numbers] of events.entries()) {
      const first = index === 0 ? 1 : 0;
      expect(numbers).toEqual(Array.from({ length: ran(index) - first }, (_, number) => number + first));
    }

    expect(world.bridge.sessions()).toEqual([]);
    await vi.waitUntil(() => wires.web.connections + wires.tcp.connections === 0, PATIENT);
    for (const kept of [runs, outcomes]) kept.clear();
    for (const numbers of events) numbers.length = 0;
    sessions.length = 0;
    const after = await measure();
    expect(after.sockets).toBeLessThanOrEqual(before.sockets);
    expect(after.timers).toBeLessThanOrEqual(before.timers);
    expect(after.bytes - before.bytes).toBeLessThan(MEMORY_MARGIN);

    expect(after.listeners).toBeLessThanOrEqual(before.listeners);
    // The living link's.
    expect(world.listeners()).toBe(1);

    // The last relay has seen a third of all and has only the game's link left, like the first after its warm-up.
    await vi.waitUntil(async () => (await relay.measure()).resources.TCPSocketWrap === 1, PATIENT);
    const relayAfter = await relay.measure();
    expect(relayAfter.resources.Timeout ?? 0).toBeLessThanOrEqual(relayBefore.resources.Timeout ?? 0);
    expect(relayAfter.listeners).toBeLessThanOrEqual(relayBefore.listeners);
    expect(relayAfter.bytes - relayBefore.bytes).toBeLessThan(RELAY_MARGIN);
  },
  TIMEOUT_MS,
);
