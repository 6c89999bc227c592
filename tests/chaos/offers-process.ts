/** A process that keeps interactions as fast as it can, and says of each change when it is kept, until it is killed. Its argument is their folder. */
import { randomUUID } from 'node:crypto';
import { type Interaction, Interactions } from '../../src/relay/openclasp/interactions.ts';
import { RetainedRecords } from '../../src/relay/openclasp/retained-records.ts';

/** One change that counts. */
export interface Kept {
  interactionId: string;
  sequence: number;
}

const log = (sentence: string) => {
  throw new Error(sentence);
};
const interactions = await Interactions.load(await RetainedRecords.open(process.argv[2] as string, log), () => 0);

/** Adds interactions, or changes the same ones again and again. */
async function work(isNew: boolean): Promise<void> {
  let one: Interaction | undefined;
  for (;;) {
    if (isNew || one === undefined) {
      const ids = { interactionId: randomUUID(), offerId: randomUUID() };
      const rest = { from: 'local', agentId: 'mira', counterparty: 'driver', contractHash: 'h', endsAt: 1, forgetAt: 1 } as const;
      // Long enough to be written in several pieces.
      one = { ...ids, ...rest, digest: 'd'.repeat(200_000), sequence: 0 };
    }
    const sequence = (one.sequence ?? 0) + 1;
    one.sequence = sequence;
    await interactions.keep(one);
    process.send?.({ interactionId: one.interactionId, sequence } satisfies Kept);
  }
}

process.on('disconnect', () => process.exit());
await Promise.all([work(true), work(false), work(false)]);
