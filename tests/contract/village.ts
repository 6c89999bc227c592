import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { policyFor } from 'phaser-aicc/contract';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { connect } from '../../src/agent/node.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { type Bridge, createBridge, defineTool, ManualClock, type Tool } from '../../src/bridge/index.ts';
import type { OpenRequest } from '../../src/protocol/index.ts';
import type { OpenClaspOptions, RelayOptions } from '../../src/relay/index.ts';
import { driverToken, site } from './site.ts';
import { AT, localOffer } from './vectors.ts';

const tool = (
  id: string,
  capability: string,
  output: JsonObject,
  answer: JsonObject,
  kind: 'actuator' | 'sensor' | 'generator' = 'actuator',
) => defineTool({ id, class: kind, capability, description: id, output, run: () => answer });

const NOTES = { type: 'string', 'x-data-class': 'private_notes' };
const SEEN = {
  type: 'object',
  properties: { at: { type: 'number', 'x-data-class': 'position' }, notes: NOTES },
  required: ['at', 'notes'],
};

/** Mira's tools: what the vectors' contract allows and what it does not. */
export const TOOLS: Tool[] = [
  tool('look', 'vision', SEEN, { at: 3, notes: 'psst' }, 'sensor'),
  tool('move_to', 'locomotion', { type: 'object' }, { moved: true }),
  tool('attack', 'combat', { type: 'object' }, {}),
  tool('give', 'manipulation', { type: 'object' }, {}),
];

export interface Page {
  bridge: Bridge;
  clock: ManualClock;
  /** The page is gone. */
  leave(): void;
}

/** A game's page with Mira, on a relay: a real bridge on a real game link, whose time stands still. */
export function page(gameUrl: string, now = AT, tools: readonly Tool[] = TOOLS): Page {
  vi.stubGlobal('WebSocket', WebSocket);
  const clock = new ManualClock();
  const contracts = ({ contract }: OpenRequest) => contract && policyFor(contract, now);
  const bridge = createBridge({ world: { name: 'village' }, clock, newId: randomUUID, policyFor: contracts });
  bridge.addCharacter('mira', { description: 'Lights lanterns', tools });
  const leave = openGameLink({ url: gameUrl, bridge, token: undefined });
  onTestFinished(() => {
    leave();
    bridge.close();
    vi.unstubAllGlobals();
  });
  return { bridge, clock, leave };
}

/** A relay that takes offers for Mira, and her village. */
export async function village(
  now = AT,
  openclasp: Partial<OpenClaspOptions> = { requireOffer: ['mira'] },
  options: RelayOptions = {},
  tools: readonly Tool[] = TOOLS,
) {
  const there = await site(openclasp, options);
  await there.peer.close();
  return { ...there, ...page(there.relay.gameUrl, now, tools) };
}

/** The vectors' driver, under the vectors' offer. */
export const offered = (relay: { agentUrl: string }, more: { offer?: object; token?: string } = {}) =>
  connect({
    url: relay.agentUrl,
    character: 'mira',
    offer: localOffer(),
    token: driverToken(),
    waitMs: 20_000,
    reconnect: false,
    ...more,
  });

/** What the audit log says, once `look` finds something in it. */
export async function audited(stateDir: string): Promise<{ [name: string]: string }[]> {
  const text = await readFile(join(stateDir, 'audit.ndjson'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
