import { onTestFinished } from 'vitest';
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';
import { until } from './hill.ts';
import { RawClient } from './raw-client.ts';

type AiControlOptions = NonNullable<RelayOptions['aicontrol']>;

export interface Endpoint {
  relay: Relay;
  port: number;
  client(options?: { allowHalfOpen?: boolean }): Promise<RawClient>;
}

/** A real relay with an AiControl endpoint for Ann. */
export async function endpoint(aicontrol: Partial<AiControlOptions> = {}, options: RelayOptions = {}): Promise<Endpoint> {
  const relay = await startRelay({ port: 0, tcpPort: 0, aicontrol: { character: 'ann', port: 0, ...aicontrol }, ...options });
  onTestFinished(() => relay.close());
  const port = relay.aicontrolPort as number;
  return { relay, port, client: (how) => RawClient.connect(port, how) };
}

/** The same client, once it sees the character. */
export async function ready(client: RawClient): Promise<RawClient> {
  await until(async () => ((await client.result('observe')).observation as { ready: boolean }).ready);
  return client;
}

/** Waits until the endpoint has so many events. */
export async function latest(client: RawClient, seq: number): Promise<void> {
  await until(async () => ((await client.result('events', { limit: 1 })).latestSeq as number) >= seq);
}

export type Completed = { type: string; commandSeq: number; success: boolean; message: string; output?: object; code?: string };

/** Every completion that is kept, once there are so many. */
export async function completions(client: RawClient, count: number): Promise<Completed[]> {
  return until(async () => {
    const { events } = (await client.result('events', { limit: 500 })) as { events: { event: Completed }[] };
    const completed = events.map(({ event }) => event).filter(({ type }) => type === 'command_completed');
    return completed.length >= count && completed;
  });
}

/** Queues a command and gives its completion. */
export async function perform(client: RawClient, command: object): Promise<Completed> {
  let afterSeq = (await client.result('events', { limit: 1 })).latestSeq as number;
  const { commandSeq } = await client.result('act', command);
  return until(async () => {
    const { events } = (await client.result('events', { afterSeq })) as { events: { seq: number; event: Completed }[] };
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    return events.map(({ event }) => event).find((event) => event.type === 'command_completed' && event.commandSeq === commandSeq);
  });
}
