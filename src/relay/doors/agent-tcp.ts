import { tcpChannel } from '../../transport/node.ts';
import type { RelayDoor } from '../relay-door.ts';

/** Agents by TCP, one message a line, on a port of its own (A1). */
export const agentTcpDoor = (host: string, port: number): RelayDoor => ({
  name: 'agent-tcp',
  port: { host, port, option: '--tcp-port', for: 'agents', channel: tcpChannel },
});
