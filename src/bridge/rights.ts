import type { JsonObject } from '../base/json.ts';
import { AiccError, type CatalogueTool, REASONS } from '../protocol/index.ts';
import { type Asked, BUILT_IN_TOOLS } from './built-in-tools.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import type { GuardedPolicy } from './policy.ts';

/** What this needs of a character. */
interface Equipped extends Asked {
  readonly tools: readonly CompiledTool[];
  tool(id: string): CompiledTool | undefined;
}

/** What one session may see, call and be told: by its capabilities (AICC G2) and its contract, if it has one (OpenClasp T9–T15). */
export class Rights {
  readonly policy: GuardedPolicy | undefined;

  readonly #character: Equipped;
  #visible: { of: readonly CompiledTool[]; builtIns: number; list: readonly CompiledTool[] } | undefined;
  /** What the token grants; undefined: everything. */
  #granted: readonly string[] | undefined;
  readonly #approved = new Set<string>();

  constructor(character: Equipped, policy: GuardedPolicy | undefined, granted: readonly string[] | undefined) {
    this.#character = character;
    this.#granted = granted;
    this.policy = policy;
  }

  /** Another token of the same principal has taken the session up: it holds what that one grants (C5). */
  grant(capabilities: readonly string[] | undefined): void {
    this.#granted = capabilities;
    this.#visible = undefined;
  }

  /** G2; under a contract what its tools require and what it grants beside (T15). */
  get held(): readonly string[] {
    const { policy } = this;
    if (policy === undefined && this.#granted !== undefined) return this.#granted;
    const tools = this.#character.tools.filter((tool) => policy === undefined || policy.allows(tool.definition) === true);
    return [...new Set([...tools.flatMap((tool) => tool.definition.requiresCapability ?? []), ...(policy?.capabilities ?? [])])];
  }

  /** The tools that the session may see, in the character's order, built-ins last (AICC D3, T9). Asked of the contract once for each catalogue. */
  visibleTools(): readonly CompiledTool[] {
    const { tools } = this.#character;
    const builtIns = BUILT_IN_TOOLS.filter((builtIn) => builtIn.isListed(this.#character));
    if (this.#visible?.of !== tools || this.#visible.builtIns !== builtIns.length) {
      const allowed = tools.filter((tool) => this.refusal(tool) === undefined);
      this.#visible = { of: tools, builtIns: builtIns.length, list: [...allowed, ...builtIns.map(({ tool }) => tool)] };
    }
    return this.#visible.list;
  }

  /** The tool as the catalogue lists it (T10). */
  listed({ entry, definition, builtIn }: CompiledTool): CatalogueTool {
    return this.policy === undefined || builtIn ? entry : { ...entry, output_schema: this.policy.outputSchema(definition) };
  }

  /** Why the session may not call the tool, whatever the moment: D3, then D4. */
  refusal(tool: CompiledTool): AiccError | undefined {
    const { id } = tool.entry;
    const needed = tool.definition.requiresCapability;
    if (needed !== undefined && !this.#holds(needed, tool)) {
      return new AiccError(
        'tool_unavailable',
        `'${id}' requires the capability '${needed}', which this session does not hold`,
        false,
        'no_capability',
      );
    }
    const verdict = this.policy?.allows(tool.definition) ?? true;
    return verdict === true ? undefined : new AiccError('tool_unavailable', verdict, false, 'forbidden');
  }

  /** The same as `held.includes`, without a look at every tool where one will do. */
  #holds(needed: string, { definition }: CompiledTool): boolean {
    if (this.policy === undefined) return this.#granted?.includes(needed) ?? true;
    return this.policy.allows(definition) === true || this.held.includes(needed);
  }

  /** D9 */
  needsApproval(tool: CompiledTool): boolean {
    return this.policy?.needsApproval(tool.definition) ?? false;
  }

  /** An outcome of the tool as the session may know it, whatever tools the character has by now (T10). */
  redacted(tool: CompiledTool, outcome: Outcome): Outcome {
    if (this.policy === undefined) return outcome;
    if (outcome.ok) return { ok: true, output: this.policy.redact(tool.definition, outcome.output) };
    if (!outcome.byGame || !this.policy.isSensitive(tool.definition)) return outcome;
    return { ok: false, error: this.wordless(tool, outcome.error) };
  }

  /** The same for what a snapshot shows of one tool; JSON text. */
  seen(tool: CompiledTool, output: string | undefined): string | undefined {
    if (this.policy === undefined || output === undefined) return output;
    return JSON.stringify(this.policy.redact(tool.definition, JSON.parse(output) as JsonObject));
  }

  /** A person has allowed a call of it: from now on snapshots show it too (AICC D9, E4). */
  approved(tool: CompiledTool, unit: string | undefined): void {
    this.#approved.add(approvalKey(tool, unit));
  }

  /** Whether snapshots must leave it out, because no person has allowed it yet (AICC E4, T11). */
  awaitsApproval(tool: CompiledTool, unit: string | undefined): boolean {
    return this.needsApproval(tool) && !this.#approved.has(approvalKey(tool, unit));
  }

  /** Whether the tool of this id may be named to the session (AICC D3, T9). */
  mayName(toolId: string): boolean {
    const tool = this.#character.tool(toolId);
    return tool === undefined ? this.policy === undefined : this.refusal(tool) === undefined;
  }

  /** What a sensitive tool's own code says is kept back: the same error without its words (T10), also where it makes a word of its own the reason. */
  wordless(tool: CompiledTool, error: AiccError): AiccError {
    if (!this.policy?.isSensitive(tool.definition)) return error;
    const reason = REASONS.find((known) => known === error.reason);
    return new AiccError(error.code, `the tool failed (${error.code}); the contract keeps its words back`, error.retryable, reason);
  }

  /** Whether something of this data class may be told (T10). */
  mayTell(dataClass: string | undefined): boolean {
    return this.policy?.mayTell(dataClass) ?? true;
  }

  /** The same for a tool's progress: of its own class where none is given, and then not at all from a sensitive tool (T10). */
  mayTellProgress({ definition }: CompiledTool, dataClass: string | undefined): boolean {
    if (dataClass === undefined && this.policy?.isSensitive(definition)) return false;
    return this.mayTell(dataClass ?? definition.dataClass);
  }
}

const approvalKey = ({ entry }: CompiledTool, unit: string | undefined): string => (unit === undefined ? entry.id : `${entry.id} ${unit}`);
