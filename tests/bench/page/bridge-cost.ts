import { wallClock } from '../../../src/base/clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { uuid } from '../../../src/base/uuid.ts';
import { createBridge } from '../../../src/bridge/index.ts';
import { dropUndeclared } from '../../../src/bridge/tool-input.ts';
import { compileSchema } from '../../../src/schema/index.ts';
import { memoryPair, openDoor } from '../../../src/transport/index.ts';
import { GO } from '../wire/go.ts';

/** Microseconds for one call. */
export interface BridgeCost {
  whole: number;
  /** The checks of its input and output against the tool's schemas. */
  schemas: number;
  /** What the bridge, the door and the channel take beside those and the handler. */
  beyond: number;
}

const IN_FLIGHT = 64;

/** Calls a tool over a memory channel, by messages as text, and counts what it takes. The best of some rounds, each short enough for one turn of the event loop. */
export async function bridgeCost({ calls = 400, rounds = 100 } = {}): Promise<BridgeCost> {
  const { input, output, run } = GO as unknown as { input: JsonObject; output: JsonObject; run(input: object): object };
  const checkInput = compileSchema(input);
  const checkOutput = compileSchema(output);
  const call = await caller();
  let whole = Number.POSITIVE_INFINITY;
  let schemas = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    whole = Math.min(whole, await call(calls));
    await new Promise((resolve) => setTimeout(resolve));
    const began = performance.now();
    for (let at = 0; at < calls; at++) {
      const value = dropUndeclared({ x: at, y: 1 }, input);
      if (checkInput(value).length + checkOutput(run(value as object)).length > 0) throw new Error('the schemas do not fit');
    }
    schemas = Math.min(schemas, ((performance.now() - began) * 1_000) / calls);
  }
  return { whole, schemas, beyond: whole - schemas };
}

/** An agent with an open session; gives what it takes to make so many calls. */
async function caller(): Promise<(calls: number) => Promise<number>> {
  const bridge = createBridge({ world: { name: 'cost' }, clock: wallClock, newId: uuid });
  bridge.addCharacter('ann', { description: 'Walks', tools: [GO], default: true });
  const [mine, theirs] = memoryPair();
  openDoor(theirs, {
    opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
    authenticate: () => ({ name: 'anonymous' }),
    tokenRequired: false,
    query: { ok: true, connect: { character: 'ann', event_subscriptions: [] } },
    clock: wallClock,
    newId: uuid,
  });
  const session = await new Promise<string>((resolve) => mine.onMessage((text) => resolve(JSON.parse(text).session_id)));
  let serial = 0;
  const send = () => {
    const id = `00000000-0000-4000-8000-${(++serial).toString(16).padStart(12, '0')}`;
    mine.send(
      `{"protocol":"aicc/0.1","type":"tool_call","session_id":"${session}","message_id":"${id}","call_id":"${id}","tool":"go","input":{"x":${serial},"y":64.5}}`,
    );
  };
  return (calls) =>
    new Promise((resolve) => {
      let left = calls;
      const began = performance.now();
      mine.onMessage(() => {
        left--;
        if (left >= IN_FLIGHT) send();
        else if (left === 0) resolve(((performance.now() - began) * 1_000) / calls);
      });
      for (let at = 0; at < IN_FLIGHT; at++) send();
    });
}
