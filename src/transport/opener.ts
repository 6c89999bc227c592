import type { JsonObject } from '../base/json.ts';
import type { AgentHandler, AgentPort, OpenRequest, Refusal } from '../bridge/agent-port.ts';

/** Who an agent is, by its token (AICC B5) or its session offer (OpenClasp T6, T8). */
export interface Principal {
  name: string;
  /** Absent: the world's default (G2). */
  capabilities?: string[];
  /** The characters it may drive; absent: all. */
  characters?: string[];
  /** Whether it may only watch (AICC B8). */
  spectates?: boolean;
  /** An offer's: where it drives, which character when it names none, and under which terms. */
  world?: string;
  character?: string;
  contract?: JsonObject;
  /** The public key that proved who it is, where an offer was taken by its word. */
  presenter?: string;
}

/** An opening that has not found its world yet; absent: the only one there is. */
export type WorldRequest = OpenRequest & Pick<Principal, 'presenter' | 'world'>;

/** What stands behind a door: a bridge, or a relay that knows several. */
export interface Opener {
  /** Tries once. `port` may be sent to before the answer is there. */
  open(request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> | AgentHandler | Refusal;
  /** Calls back whenever worlds or characters came or went, so that a waiting opening tries again; returns the way to stop that. */
  onChange(listener: () => void): () => void;
}

/** Whether an opening was refused. */
export const isRefusal = (answer: object): answer is Refusal => 'error' in answer;
