import type { JsonObject, ToolClass } from '../protocol/index.ts';

/** What a policy may know of a tool. */
export interface ToolFacts {
  readonly id: string;
  readonly class: ToolClass;
  /** The reserved capability it belongs to (AICC G1). */
  readonly capability: string;
}

/** What a contract does to one session. The bridge asks it; a session without one may do whatever its capabilities allow. */
export interface Policy {
  /** `true`, or why the session must neither see nor call the tool (AICC D4). */
  allows(tool: ToolFacts): true | string;
  /** Whether a person must approve each call (AICC D9). */
  needsApproval(tool: ToolFacts): boolean;
}

/** The same policy, but one that throws forbids, and asks a person: no mistake of a contract may open a door or stop the game. */
export function guardedPolicy(policy: Policy): Policy {
  return {
    allows(tool) {
      try {
        return policy.allows(tool);
      } catch {
        return `the contract cannot tell whether '${tool.id}' is allowed`;
      }
    },
    needsApproval(tool) {
      try {
        return policy.needsApproval(tool);
      } catch {
        return true;
      }
    },
  };
}

/** What a person is asked (AICC D9). */
export interface ApprovalRequest {
  character: string;
  /** The caller's name. */
  principal: string;
  tool: string;
  input: JsonObject;
  /** Aborts when the call ends by itself, so that the question can be taken away. */
  signal: AbortSignal;
}

/** Asks the person at the game. Resolves to their answer. */
export type Approve = (request: ApprovalRequest) => Promise<boolean>;
