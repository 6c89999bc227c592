import type { JsonObject } from '../base/json.ts';
import type { ToolClass } from '../protocol/index.ts';

/** What a policy may know of a tool. */
export interface ToolFacts {
  /** The tool's id. */
  readonly id: string;
  /** Whether it reads, acts or makes content. */
  readonly class: ToolClass;
  /** The reserved capability it belongs to (AICC G1). */
  readonly capability: string;
  /** JSON Schema of its output; fields may carry `x-data-class`. */
  readonly output: JsonObject;
  /** The data class of its whole output, where it declares one. */
  readonly dataClass: string | undefined;
}

/**
 * What a contract does to one session (OpenClasp T0, T9–T15). The bridge asks it; a session without one may do whatever its capabilities allow.
 * What is left out changes nothing.
 */
export interface Policy {
  /** `true`, or why the session must neither see nor call the tool (AICC D4). */
  allows(tool: ToolFacts): true | string;
  /** Whether a person must approve each call (AICC D9). */
  needsApproval(tool: ToolFacts): boolean;
  /** What the session holds beside the capabilities of the tools it is allowed (T15). */
  readonly capabilities?: readonly string[];
  /** The tool's output schema without what the session must not know (T10). */
  outputSchema?(tool: ToolFacts): JsonObject;
  /** An output of the tool without what the session must not know (T10). */
  redact?(tool: ToolFacts, output: JsonObject): JsonObject;
  /** Whether the tool handles anything that the session must not know: then what its own code says in words is kept back (T10). */
  isSensitive?(tool: ToolFacts): boolean;
  /** Whether something of this data class may be told; undefined: of none declared (T10). */
  mayTell?(dataClass: string | undefined): boolean;
  /** Names the interaction: its sessions share budgets and end together, whoever is there then (AICC D7, T12, T13). Default: a session is alone. */
  readonly interaction?: string;
  /** When the interaction ends, in wall milliseconds from its first opening, and what the session is told then (T12). */
  readonly deadline?: {
    /** Wall milliseconds. */
    readonly inMs: number;
    /** What the session is told. */
    readonly reason: string;
  };
  /** Why a condition of the game that holds ends the interaction; undefined: it does not (T13). */
  endedBy?(condition: string): string | undefined;
}

/** The same policy with its gaps filled, where whatever throws forbids: no mistake of a contract may open a door or stop the game. */
export type GuardedPolicy = Required<Omit<Policy, 'deadline' | 'interaction'>> & Pick<Policy, 'deadline' | 'interaction'>;

export function guardedPolicy(policy: Policy): GuardedPolicy {
  const guard = <T>(ask: () => T, otherwise: T): T => {
    try {
      return ask();
    } catch {
      return otherwise;
    }
  };
  return {
    allows: (tool) => guard(() => policy.allows(tool), `the contract cannot tell whether '${tool.id}' is allowed`),
    needsApproval: (tool) => guard(() => policy.needsApproval(tool), true),
    capabilities: policy.capabilities ?? [],
    outputSchema: (tool) => guard(() => policy.outputSchema?.(tool) ?? tool.output, { type: 'object' }),
    redact: (tool, output) => guard(() => policy.redact?.(tool, output) ?? output, {}),
    isSensitive: (tool) => guard(() => policy.isSensitive?.(tool) ?? false, true),
    mayTell: (dataClass) => guard(() => policy.mayTell?.(dataClass) ?? true, false),
    ...(policy.interaction !== undefined && { interaction: policy.interaction }),
    ...(policy.deadline && { deadline: policy.deadline }),
    endedBy: (condition) => guard(() => policy.endedBy?.(condition), 'the contract cannot tell whether it goes on'),
  };
}

/** What a person is asked (AICC D9). */
export interface ApprovalRequest {
  /** The character's id. */
  character: string;
  /** The session's id, so that an answer can be remembered for it. */
  session: string;
  /** The caller's name. */
  principal: string;
  /** The tool's id. */
  tool: string;
  /** The one of a squad that would do it; absent for a character that is none. */
  unit?: string;
  /** What the tool would get. It comes from the agent: show it as text, never as markup. */
  input: JsonObject;
  /** Aborts when the call ends by itself, so that the question can be taken away. */
  signal: AbortSignal;
}

/** Asks the person at the game. Resolves to their answer. */
export type Approve = (request: ApprovalRequest) => Promise<boolean>;
