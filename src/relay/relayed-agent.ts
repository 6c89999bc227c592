import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { type Channel, type ChannelEnd, isRefusal, type Opener, type WorldRequest } from '../transport/index.ts';
import type { LinkedAgent } from './linked-agent.ts';
import { named, whyEnded } from './log-text.ts';
import type { Worlds } from './worlds.ts';

/** What stands behind the door of one agent's connection: all the games there are. */
export class RelayedAgent implements Opener {
  readonly #worlds: Worlds;
  readonly #channel: Channel;
  readonly #log: (line: string) => void;
  #linked: LinkedAgent | undefined;
  /** Which character the session is of, for the log; undefined before there is a session. */
  #what: string | undefined;

  constructor(worlds: Worlds, channel: Channel, log: (line: string) => void) {
    this.#worlds = worlds;
    this.#channel = channel;
    this.#log = log;
  }

  async open({ world, ...request }: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> {
    const { character, characters, principal, resume, spectate } = request;
    const found = resume === undefined ? this.#worlds.find(world, character, characters) : this.#worlds.home(resume);
    if (isRefusal(found)) return found;
    this.#linked = found.open(request, port, this.#channel);
    const answer = await this.#linked.answer;
    if (isRefusal(answer)) return answer;
    this.#what = `${named(this.#worlds.nameOf(found) ?? found.world)}/${named(answer.character)}`;
    const does = resume === undefined ? (spectate ? 'watches' : 'drives') : 'is back at';
    this.#log(`agent ${named(principal)} ${does} ${this.#what} (${this.#channel.kind})`);
    return answer;
  }

  onChange(listener: () => void): () => void {
    return this.#worlds.onArrival(listener);
  }

  /** The connection is over. A game that has not answered yet is told too. */
  leave(end: ChannelEnd): void {
    this.#linked?.closed(false);
    if (this.#what !== undefined) this.#log(`agent of ${this.#what} left: ${whyEnded(end)}`);
    this.#what = undefined;
  }
}
