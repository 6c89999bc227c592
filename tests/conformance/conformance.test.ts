import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Finding, PROMISES, runConformance, type Transport } from '../../src/conformance/index.ts';
import type { TickMode } from '../../src/protocol/index.ts';
import { startReferenceWorld } from './reference-world.ts';

async function run(transport: Transport, options: { tickMode?: TickMode; token?: string } = {}, rules?: string[]): Promise<Finding[]> {
  // Node 20 has no WebSocket of its own, which the game link wants; the one of `ws` has the browser's interface.
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const world = await startReferenceWorld(transport, options);
  onTestFinished(() => world.close());
  return runConformance({ target: world.target, pass: world.pass, wants: (rule) => rules?.includes(rule) ?? true });
}

const broken = (findings: Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'fail').map(({ rule, title, why }) => `${rule} ${title}: ${why}`);
const spared = (findings: Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'not applicable').map(({ rule, why }) => `${rule}: ${why}`);

const OF_TCP = ['A1: it is about tcp', 'A1: it is about tcp', 'A8: it is about tcp'];
const OF_WEB_SOCKET = ['A1: it is about websocket', 'B1: it is about websocket', 'B5: it is about websocket', 'B5: it is about websocket'];

/** What a transport leaves out, and nothing else. */
const SPARED: { [transport in Transport]: string[] } = {
  memory: [
    ...OF_TCP,
    ...OF_WEB_SOCKET,
    'B4: it is about websocket and tcp',
    'B5: it is about websocket and tcp',
    'F4: it is about websocket and tcp',
  ],
  websocket: [...OF_TCP, 'B5: it is for bridges that ask for a token'],
  tcp: [...OF_WEB_SOCKET, 'B5: it is for bridges that ask for a token', 'C4: it is about websocket and memory'],
};
/** What a tick mode leaves out. */
const OF_FIXED = Array(2).fill('E1: its world ticks ');
const OF_EVENT = Array(4).fill('E2: its world ticks ');
const OF_HYBRID = Array(2).fill('E3: its world ticks ');
const OF_RUNNING = ['E4', 'E5'].map((rule) => `${rule}: its world moves only when somebody acts`);
const MODES: { [mode in TickMode]: string[] } = {
  fixed: [...OF_EVENT, ...OF_HYBRID].map((why) => `${why}fixed`),
  event: [...[...OF_FIXED, ...OF_HYBRID].map((why) => `${why}event`), ...OF_RUNNING],
  hybrid: [...OF_FIXED, ...OF_EVENT].map((why) => `${why}hybrid`),
};
/** What nobody can judge from outside. */
const UNSEEN = ['C6', 'C9', 'D10', 'E2', 'F4', 'G2', 'H'];

function expectSpared(findings: Finding[], transport: Transport, tickMode: TickMode): void {
  const unseen = PROMISES.filter(({ by }) => by === 'nothing');
  expect(unseen.map(({ rule }) => rule)).toEqual(UNSEEN);
  for (const { rule, title } of unseen)
    expect(findings).toContainEqual({ rule, title, verdict: 'not applicable', why: expect.any(String) });
  const others = findings.filter(({ title }) => !unseen.some((each) => each.title === title));
  expect(spared(others).sort()).toEqual([...SPARED[transport], ...MODES[tickMode]].sort());
}

describe('the bridge keeps every rule that can be seen from outside', () => {
  test.each(['memory', 'websocket', 'tcp'] as const)('over %s', async (transport) => {
    const findings = await run(transport);
    expect(broken(findings)).toEqual([]);
    expectSpared(findings, transport, 'hybrid');
  });

  test.each(['fixed', 'event'] as const)('in a world that ticks %s', async (tickMode) => {
    const findings = await run('memory', { tickMode });
    expect(broken(findings)).toEqual([]);
    expectSpared(findings, 'memory', tickMode);
  });

  test.each(['websocket', 'tcp'] as const)('B5: over %s where a token is asked for', async (transport) => {
    const findings = await run(transport, { token: 'a-secret-of-this-test' }, ['A3', 'B1', 'B2', 'B3', 'B4', 'B5', 'C5', 'C7']);
    expect(broken(findings)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'B5', verdict: 'pass', title: expect.stringContaining('a wrong token') }),
    );
  });
});
