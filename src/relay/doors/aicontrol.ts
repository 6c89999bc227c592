import type { Clock } from '../../base/clock.ts';
import { DEFAULT_HOST, DEFAULT_PORTS } from '../../protocol/default-addresses.ts';
import type { Agents } from '../agents.ts';
import { type AiControlOptions, Endpoint } from '../aicontrol/index.ts';
import type { RelayDoor } from '../relay-door.ts';
import { Tokens } from '../tokens.ts';
import type { Worlds } from '../worlds.ts';

export interface AiControlSurroundings {
  clock: Clock;
  agents: Agents;
  worlds: Worlds;
}

/** Clients of the AiControl line protocol, on a port of its own (AiControl W1). They share one agent, which is one like any other (W18). */
export async function aiControlDoor(options: AiControlOptions, { agents, clock, worlds }: AiControlSurroundings): Promise<RelayDoor> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORTS.aicontrol } = options;
  const tokens = await Tokens.load({ agentToken: options.token });
  const endpoint = new Endpoint({
    ...options,
    tokenRequired: tokens.agentsNeedOne,
    isToken: (token) => tokens.agent(token) !== undefined,
    clock,
    enter: () => agents.enterOwn({ name: 'aicontrol' }),
    onChange: (listener) => worlds.onChange(listener),
  });
  return {
    name: 'aicontrol',
    port: {
      host,
      port,
      option: '--aicontrol-port',
      allowHalfOpen: true,
      listens: (bound) => endpoint.listensOn(host, bound),
      for: 'clients',
      accept: (socket) => endpoint.accept(socket),
    },
    giveBack: () => endpoint.close(),
  };
}
