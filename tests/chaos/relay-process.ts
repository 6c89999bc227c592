/** A relay in a process of its own, which the chaos test kills. It loads first and starts when told. Speaks to its parent by IPC. */
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';
import { countListeners } from './count-listeners.ts';

/** What the parent asks for. */
export type Order = { start: Pick<RelayOptions, 'allowedHosts' | 'limits'> } | 'measure';
export interface Started {
  port: number;
  tcpPort: number;
}
export interface Measured {
  /** Of the heap and of buffers, after a collection. */
  bytes: number;
  /** Connections and timers, by kind. */
  resources: { [kind: string]: number };
  /** Listeners on what is still alive. */
  listeners: number;
}

let relay: Relay | undefined;

process.on('message', async (order: Order) => {
  if (order === 'measure') {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const resources: Measured['resources'] = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    process.send?.({ bytes: heapUsed + external, resources, listeners: countListeners() } satisfies Measured);
  } else {
    relay = await startRelay({ port: 0, tcpPort: 0, ...order.start });
    process.send?.({ port: relay.port, tcpPort: relay.tcpPort } satisfies Started);
  }
});
process.on('disconnect', () => process.exit());
process.send?.('loaded');
