import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { type Channel, isRefusal, type Opener, type WorldRequest } from '../transport/index.ts';
import type { LinkedAgent } from './linked-agent.ts';
import type { Worlds } from './worlds.ts';

/** What stands behind the door of one agent's connection: all the games there are. */
export class RelayedAgent implements Opener {
  readonly #worlds: Worlds;
  readonly #channel: Channel;
  #linked: LinkedAgent | undefined;

  constructor(worlds: Worlds, channel: Channel) {
    this.#worlds = worlds;
    this.#channel = channel;
  }

  open({ world, ...request }: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> | Refusal {
    const { character, resume } = request;
    const found = resume === undefined ? this.#worlds.find(world, character) : this.#worlds.home(resume);
    if (isRefusal(found)) return found;
    this.#linked = found.open(request, port, this.#channel);
    return this.#linked.answer;
  }

  onChange(listener: () => void): () => void {
    return this.#worlds.onChange(listener);
  }

  /** The connection is over. A game that has not answered yet is told too. */
  leave(): void {
    this.#linked?.closed(false);
  }
}
