/** The relay in a process of its own. Tells its port, and what it uses when asked. */
import { startRelay } from '../../../src/relay/index.ts';

const relay = await startRelay({ port: 0, tcpPort: 0 });
process.on('message', (what) => {
  if (what === 'weigh') for (let time = 0; time < 2; time++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ bytes: heapUsed + external, cpuUs: user + system });
});
process.on('disconnect', () => process.exit());
process.send?.({ port: relay.port });
