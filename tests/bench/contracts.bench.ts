import type { JsonObject } from '../../src/base/json.ts';
import { policyFor } from '../../src/contract/index.ts';
import { judgeOffer, termsOf } from '../../src/contract/node.ts';
import { AT, context, VECTORS } from '../contract/vectors.ts';

export const name = 'contracts';

const notes = { type: 'string', 'x-data-class': 'private_notes' };
const entity = { type: 'object', properties: { id: { type: 'string' }, x: { type: 'number' }, y: { type: 'number' }, notes } };
const look = {
  id: 'move_to',
  class: 'actuator',
  capability: 'locomotion',
  dataClass: undefined,
  output: { type: 'object', properties: { at: entity, health: { type: 'number' } } },
} as const;
const seen = { at: { id: 'lantern_1', x: 3, y: 4, notes: 'mine' }, health: 3 };

/** Microseconds of processor time: other programs on the machine do not count. */
function microseconds(times: number, run: () => void): number {
  for (let time = 0; time < times / 5; time++) run();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) run();
  const { system, user } = process.cpuUsage(before);
  return (system + user) / times;
}

/** What an offer costs the relay once, and what a contract costs a game with every call. */
export async function run() {
  const text = JSON.stringify(VECTORS.offer);
  const against = context();
  const policy = policyFor(termsOf(VECTORS.offer, true) as unknown as JsonObject, AT);
  const offer = microseconds(500, () => {
    if (!judgeOffer(text, against).ok) throw new Error('the offer must be good');
  });
  const call = microseconds(200_000, () => {
    policy.allows(look);
    policy.needsApproval(look);
    policy.redact?.(look, seen);
  });
  return {
    columns: ['', 'microseconds', 'at most'],
    rows: [
      ['judging an offer with three signatures', offer.toFixed(1), 2_000],
      ['a call under a contract, beside the call', call.toFixed(2), 5],
    ],
    data: { offerMicroseconds: offer, callMicroseconds: call },
  };
}
