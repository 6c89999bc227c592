import type { Capabilities, CatalogueTool, ModelDeclaration, TickMode, Topic, WorldKind } from '../protocol/index.ts';
import type { ChannelEnd } from '../transport/index.ts';
import type { AnyCatalogue, CallArguments, CallOutput, ToolId } from './catalogue.ts';
import type { SessionListeners, Snapshot } from './events.ts';

/**
 * One agent driving one character.
 * @typeParam C its tools, where they are known to the compiler: `{ say: { input: { text: string }; output: { heard_by: string[] } } }`; the command
 * `npx phaser-aicc types` writes them
 */
export interface Session<C = AnyCatalogue> {
  /** The session's UUID (AICC B2). */
  readonly id: string;
  /** The world that the character lives in. */
  readonly world: {
    /** What agents find the world by. */
    readonly name: string;
    /** What the world says it is. */
    readonly kind: WorldKind;
  };
  /** How the world's time moves (AICC E1–E3). */
  readonly tickMode: TickMode;
  /** Ticks per second of world time. */
  readonly tickRateHz: number;
  /** What the bridge takes this agent for: as declared, or `cloud_medium`. */
  readonly model: ModelDeclaration;
  /** The catalogue as it is now; a change is told by `on('tools')`. */
  readonly tools: readonly CatalogueTool[];
  /** Reserved capability names that the catalogue uses (AICC G1). */
  readonly capabilities: Capabilities;
  /** Topics that this session gets; undefined: the bridge did not say. */
  readonly topics: readonly Topic[] | undefined;
  /** The newest snapshot that came with a `tick` (`subscribe: ['tick']`) or a result (`observe: true`). */
  readonly snapshot: Snapshot | undefined;
  /**
   * Settles when the session is over, never rejects. `code` is a WebSocket close code: 1000 says that it was meant, 4002 that the character or the
   * game went away and a new session may drive on, 4001 that the session was resumed elsewhere; after 1006 and 1012 it could not be resumed.
   */
  readonly closed: Promise<ChannelEnd>;

  /**
   * Runs one tool.
   * @param inputAndOptions the tool's input, default `{}`, then `CallOptions`
   * @returns the tool's output
   * @throws {CallError} by rejecting: the bridge's error; `timeout` or `execution_failed` when given up by `timeoutMs` or `signal`;
   * `session_expired` when the session is or ends before the result comes (the tool may or may not have run). A lost connection that is
   * made anew does not end it: the call waits, and it runs once at most.
   */
  call<Id extends ToolId<C>>(tool: Id, ...inputAndOptions: CallArguments<C[Id]>): Promise<CallOutput<C[Id]>>;

  /**
   * Listens. Events that came before the first listener of their topic could be added (in the same turn as `connect` resolved) are handed to it.
   * @returns the way to stop listening
   * @throws {TypeError} for a type that no session tells, or a listener that is no function
   * @throws {Error} for a topic that this session does not get
   */
  on<T extends keyof SessionListeners>(type: T, listener: SessionListeners[T]): () => void;

  /** Ends the session (AICC C7): running calls are aborted. Resolves when it is over; may be called twice. */
  close(reason?: string): Promise<void>;
}
