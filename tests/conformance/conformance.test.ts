import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Finding, runConformance, type Transport } from '../../src/conformance/index.ts';
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

/** What a transport leaves out, and nothing else. */
const SPARED: { [transport in Transport]: string[] } = {
  memory: [
    'A1: it is about tcp',
    'A1: it is about tcp',
    'A1: it is about websocket',
    'A8: it is about tcp',
    'B1: it is about websocket',
    'B4: it is about websocket and tcp',
    'B5: it is about websocket',
    'B5: it is about websocket',
    'B5: it is about websocket and tcp',
  ],
  websocket: ['A1: it is about tcp', 'A1: it is about tcp', 'A8: it is about tcp', 'B5: it is for bridges that ask for a token'],
  tcp: [
    'A1: it is about websocket',
    'B1: it is about websocket',
    'B5: it is about websocket',
    'B5: it is about websocket',
    'B5: it is for bridges that ask for a token',
    'C4: it is about websocket and memory',
  ],
};

describe('the bridge keeps every rule that can be seen from outside', () => {
  test.each(['memory', 'websocket', 'tcp'] as const)('over %s', async (transport) => {
    const findings = await run(transport);
    expect(broken(findings)).toEqual([]);
    expect(spared(findings)).toEqual(SPARED[transport]);
  });

  test.each(['fixed', 'event'] as const)('in a world that ticks %s', async (tickMode) => {
    expect(broken(await run('memory', { tickMode }))).toEqual([]);
  });

  test.each(['websocket', 'tcp'] as const)('B5: over %s where a token is asked for', async (transport) => {
    const findings = await run(transport, { token: 'a-secret-of-this-test' }, ['A3', 'B1', 'B2', 'B3', 'B4', 'B5', 'C5', 'C7']);
    expect(broken(findings)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'B5', verdict: 'pass', title: expect.stringContaining('a wrong token') }),
    );
  });
});
