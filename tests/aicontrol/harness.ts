import { onTestFinished } from 'vitest';
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';
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
