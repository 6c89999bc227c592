import type { JsonObject } from '../base/json.ts';
import type { Policy, ToolFacts } from '../bridge/policy.ts';
import { type ContractTerms, readTerms } from './contract-terms.ts';
import { OutputClasses } from './data-classes.ts';

/** What counts where nothing is declared (T10). */
const PUBLIC = 'public';

/**
 * What a contract does to one session in the game, for `createBridge({ policyFor })` (T9–T15).
 * @param terms what the relay sent with the opening: `OpenRequest.contract`
 * @param nowMs the time in milliseconds since 1970: `Date.now()`
 * @throws {TypeError} for terms that are not understood: refuse the opening then
 */
export function policyFor(terms: JsonObject, nowMs: number): Policy {
  return new ContractPolicy(readTerms(terms), nowMs);
}

class ContractPolicy implements Policy {
  readonly interaction: string;
  readonly capabilities: readonly string[];
  readonly deadline: { readonly inMs: number; readonly reason: string };
  readonly #terms: ContractTerms;
  readonly #outputs = new WeakMap<JsonObject, OutputClasses>();

  constructor(terms: ContractTerms, nowMs: number) {
    this.#terms = terms;
    this.interaction = terms.interactionId;
    this.capabilities = terms.capabilities;
    this.deadline = {
      inMs: Math.max(0, terms.endsAt - nowMs),
      reason: terms.endsBy === 'deadline' ? "expired: the contract's deadline is reached" : 'expired: the session offer has ended',
    };
  }

  /** T9, and for sensors T10. */
  allows(tool: ToolFacts): true | string {
    const { allowedActions, prohibitedActions } = this.#terms;
    if (names(prohibitedActions, tool)) return `the contract prohibits '${tool.id}'`;
    if (tool.class !== 'sensor') return names(allowedActions, tool) || `the contract does not allow '${tool.id}'`;
    return !this.#isClosed(tool) || `the contract keeps what '${tool.id}' senses back`;
  }

  /** T11 */
  needsApproval(tool: ToolFacts): boolean {
    return names(this.#terms.approvals, tool);
  }

  outputSchema(tool: ToolFacts): JsonObject {
    return this.#isClosed(tool) ? { type: 'object' } : this.#output(tool).schema();
  }

  redact(tool: ToolFacts, output: JsonObject): JsonObject {
    return this.#isClosed(tool) ? {} : this.#output(tool).redact(output);
  }

  isSensitive(tool: ToolFacts): boolean {
    return this.#isClosed(tool) || this.#output(tool).hasForbidden;
  }

  mayTell(dataClass: string = PUBLIC): boolean {
    const { allowedData, prohibitedData } = this.#terms;
    return !prohibitedData.includes(dataClass) && (dataClass === PUBLIC || allowedData.includes(dataClass));
  }

  /** T13 */
  endedBy(condition: string): string | undefined {
    if (this.#terms.cancellationConditions.includes(condition)) return `cancelled: ${condition}`;
    return this.#terms.completionConditions.includes(condition) ? `completed: ${condition}` : undefined;
  }

  /** Whether the tool's output is kept back as a whole. A field's own class cannot open what its tool's closes. */
  #isClosed(tool: ToolFacts): boolean {
    return !this.mayTell(tool.dataClass ?? rootClass(tool)) || this.#output(tool).isForbidden;
  }

  #output({ output }: ToolFacts): OutputClasses {
    let classes = this.#outputs.get(output);
    if (classes === undefined) {
      classes = new OutputClasses(output, (name) => this.mayTell(name));
      this.#outputs.set(output, classes);
    }
    return classes;
  }
}

/** A tool by its id, or by the reserved capability that it belongs to. */
function names(actions: readonly string[], { capability, id }: ToolFacts): boolean {
  return actions.includes(id) || actions.includes(capability);
}

/** The class that the output schema declares for the whole; a list of them is judged elsewhere. */
function rootClass({ output }: ToolFacts): string | undefined {
  const declared = output['x-data-class'];
  return typeof declared === 'string' ? declared : undefined;
}
