import { Agent } from './agent.ts';
import { Failure, fail } from './failure.ts';
import { type Init, type JsonObject, type ToolEntry, UUID } from './messages.ts';
import type { Standing } from './standing.ts';
import type { Handshake, Target, Transport } from './wire.ts';

export interface SiteOptions {
  target: Target;
  standing: Standing;
  patienceMs: number;
  /** Lets wall time pass for the bridge. */
  pass(ms: number): Promise<void>;
}

/** Between two tries to open a character that somebody still holds. */
const RETRY_MS = 100;
/** AICC C6: for so long after its start, or the loss of a game, a relay may say that an unknown session's game is still to come. */
const GRACE_MS = 10_000;

/** The bridge under test as a case sees it: what is known of it, and the way to new connections. */
export class Site {
  readonly #options: SiteOptions;
  readonly #agents: Agent[] = [];
  readonly #left = new Set<string>();
  #init: Init | undefined;

  constructor(options: SiteOptions) {
    this.#options = options;
  }

  get transport(): Transport {
    return this.#options.target.transport;
  }

  get target(): Target {
    return this.#options.target;
  }

  /** The catalogue as the first session saw it. */
  get init(): Init {
    return this.#init ?? fail('no session was ever opened');
  }

  tool(id: string): ToolEntry | undefined {
    return this.init.tools.find((tool) => tool.id === id);
  }

  pass(ms: number): Promise<void> {
    return this.#options.pass(ms);
  }

  /** Opens a first session to learn what there is. */
  async learn(): Promise<void> {
    const agent = await this.open();
    this.#init = agent.manifest;
    await this.leave();
  }

  /** A connection on which nothing has been said. */
  async connect(handshake?: Handshake): Promise<Agent> {
    const agent = await new Agent(this.#options).connect(handshake);
    this.#agents.push(agent);
    return agent;
  }

  /** The connect line's members that lead to the character under test. */
  whereTo(members: JsonObject = {}): JsonObject {
    const { character, token, transport, world } = this.target;
    return {
      ...(world !== undefined && { world }),
      ...(character !== undefined && { character }),
      ...(token !== undefined && transport !== 'websocket' && { token }),
      ...members,
    };
  }

  /**
   * A connection with a session. A character that is held for now is tried again.
   * @param graceMs wall time of the bridge for which that is right, however little patience there is
   */
  async open(members: JsonObject = {}, graceMs = 0): Promise<Agent> {
    const giveUpAt = performance.now() + this.#options.patienceMs;
    for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
      const agent = await this.connect();
      agent.ask(this.whereTo(members));
      const first = await agent.until(() => agent.received[0], 'an answer to the connect line');
      if (first.type !== 'error' || first.error?.retryable !== true || (performance.now() > giveUpAt && waitedMs >= graceMs))
        return agent.opened();
      agent.wire.close();
      await this.pass(RETRY_MS);
    }
  }

  /** Takes a session up again, on a new connection. */
  async resume(sessionId: string, members: JsonObject = {}): Promise<Agent> {
    return this.open({ resume: sessionId, ...members });
  }

  /** The session cannot be had any more: a relay that is younger than its grace (C6) must say so when that is over. */
  async expired(sessionId: string): Promise<void> {
    let agent: Agent | undefined;
    try {
      agent = await this.open({ resume: sessionId }, GRACE_MS);
    } catch (error) {
      if (!(error instanceof Failure && error.message.includes('session_expired'))) throw error;
    }
    if (agent !== undefined) fail(`session ${sessionId} was resumed; wanted session_expired`);
  }

  /** Ends everything that a case left behind, so that the next one finds the character free. */
  async leave(): Promise<void> {
    const agents = this.#agents.splice(0);
    for (const agent of agents) if (agent.init === undefined) agent.ending ?? agent.wire.close();
    const sessions = new Map(agents.filter((agent) => agent.init !== undefined).map((agent) => [agent.sessionId, agent]));
    for (const [id, agent] of sessions) await this.#end(id, agent);
  }

  /** A session is known to be over. */
  over(sessionId: string): void {
    this.#left.add(sessionId);
  }

  async #end(sessionId: string, agent: Agent): Promise<void> {
    if (this.#left.has(sessionId) || !UUID.test(sessionId)) return;
    try {
      if (agent.ending === undefined) await agent.leave();
      else if (!agent.received.some(({ type }) => type === 'session_close')) await (await this.resume(sessionId)).leave();
    } catch {
      // It has ended by itself, or whoever opens next will say what is wrong.
    }
  }
}
