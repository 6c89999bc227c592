import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { describeThrown } from '../base/thrown.ts';
import { AiccError, LIMITS } from '../protocol/index.ts';
import { CallContext, type ContextHost } from './call-context.ts';
import type { CompiledTool } from './catalogue.ts';
import type { Lane, LaneUser } from './lane.ts';
import type { Mistakes } from './mistakes.ts';
import { checkedOutput, ignoreRejection, type Outcome, type Report } from './outcome.ts';
import { PausableTimer } from './pausable-timer.ts';
import type { Caller, HostContext, ToolContext } from './tool-context.ts';

/** What a call needs of the character that it is made for. */
export interface CallBody extends ContextHost {
  readonly paused: boolean;
  /** Its calls that have no result yet. */
  readonly pending: Set<Call>;
  /** Those whose handler has begun. */
  readonly running: Set<Call>;
  lane(name: string, unit: string | undefined): Lane;
  /** Adds to a context what the game has to offer. */
  extend(context: HostContext): ToolContext;
  /** Why nothing can be done with it now (AICC C8, E6). */
  absence(unit?: string): AiccError | undefined;
}

/** What a call needs of whoever makes it: an agent's session, or the game itself (AICC D18). */
export interface CallHost {
  readonly bridge: {
    readonly clock: Clock;
    readonly mistakes: Mistakes;
    /** Whether world time goes on for calls of the tool (AICC E2). */
    moves(tool: CompiledTool): boolean;
  };
  readonly character: CallBody;
  readonly caller: Caller;
  /** Why a call of the tool cannot run now. */
  unavailable(tool: CompiledTool, unit: string | undefined): AiccError | undefined;
  /** Tells the newest progress of one call (AICC D11). */
  progress(call: Call, payload: JsonObject, dataClass: string | undefined): void;
}

/** One tool call from its checks to its one result. States: checked → waiting (approval, tick, lane) → running → done. */
export class Call implements LaneUser {
  readonly session: CallHost;
  readonly callId: string;
  readonly tool: CompiledTool;
  /** As the handler gets it. */
  readonly input: JsonObject;
  /** The one of a squad that it is for (AICC D10). */
  readonly unit: string | undefined;
  /** The tick that the agent decided on, for tools that ask (AICC D8). */
  readonly observedTick: number | undefined;
  done = false;
  readonly #report: Report;
  #started = false;
  #context: CallContext | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  #lane: Lane | undefined;
  /** Until it has waited, or run, for too long. */
  readonly #timer: PausableTimer;
  readonly #whenDone: (() => void)[] = [];

  constructor(
    session: CallHost,
    callId: string,
    tool: CompiledTool,
    input: JsonObject,
    unit: string | undefined,
    observedTick: number | undefined,
    report: Report,
  ) {
    this.session = session;
    this.callId = callId;
    this.tool = tool;
    this.input = input;
    this.unit = unit;
    this.observedTick = observedTick;
    this.#report = report;
    this.#timer = new PausableTimer(session.bridge.clock, session.character.paused, LIMITS.pausedCallMs);
    session.character.pending.add(this);
  }

  /** Takes its lane, if it has one, and starts as soon as that is free (AICC D10). */
  enterLane(): void {
    if (this.done) return;
    const { lane, onBusy } = this.tool.definition;
    if (lane === undefined) return this.start();
    this.#lane = this.session.character.lane(lane, this.unit);
    this.#lane.enter(this, onBusy);
  }

  /** Runs the handler (AICC D11, D12). */
  start(): void {
    if (this.done) return;
    // Whoever waited for a lane or a tick may find the world changed.
    const obstacle = this.session.unavailable(this.tool, this.unit);
    if (obstacle) return this.fail(obstacle);
    this.#started = true;
    this.#timer.stop();
    const { definition } = this.tool;
    const { bridge, character } = this.session;
    const base = new CallContext(
      character,
      this.session.caller,
      (payload, dataClass) => this.session.progress(this, payload, dataClass),
      this.unit,
      () => {
        if (!bridge.moves(this.tool)) this.fail(standsStill(definition.id));
      },
    );
    this.#context = base;
    this.#deadline = character.now + definition.timeoutMs;
    try {
      const context = character.extend(base);
      const returned = definition.run(this.input, context);
      if (isPromise(returned)) {
        returned.then(
          (output) => this.#complete(output, context),
          (error: unknown) => this.#failByGame(error, 'rejected'),
        );
      } else this.#complete(returned, context);
    } catch (error) {
      this.#failByGame(error, 'threw');
    }
    if (!this.done) {
      character.running.add(this);
      this.#timer.start(() => {
        const time = character.paused
          ? `a pause of ${LIMITS.pausedCallMs / 3_600_000} hours`
          : `${LIMITS.callWallMs / 1000} s of wall time`;
        this.fail(new AiccError('timeout', `'${definition.id}' did not end within ${time}`));
      }, LIMITS.callWallMs);
    }
  }

  /** The character's world time has moved. */
  poll(): void {
    const { definition } = this.tool;
    if (this.session.character.now >= this.#deadline) {
      return this.fail(new AiccError('timeout', `'${definition.id}' did not end within ${definition.timeoutMs / 1000} s of world time`));
    }
    this.#context?.poll();
  }

  /** Its character's world stands still, or no longer: so does what it waits for (AICC D12, E6). */
  setPaused(paused: boolean): void {
    this.#timer.setPaused(paused);
  }

  fail(error: AiccError, meta?: JsonObject): void {
    this.#finish(meta ? { ok: false, error, meta } : { ok: false, error });
  }

  expireWaiting(run: () => void, ms: number): void {
    this.#timer.start(() => {
      if (!this.#started) run();
    }, ms);
  }

  onDone(listener: () => void): void {
    this.#whenDone.push(listener);
  }

  /** The game's own code says why. What it threw when the call was over already is of its abort, as a rule. */
  #failByGame(thrown: unknown, how: string): void {
    if (this.done) return;
    this.#mistaken(`the tool '${this.tool.entry.id}' of '${this.session.character.characterId}' ${how}`, thrown);
    this.#finish({ ok: false, error: asFailure(thrown), byGame: true });
  }

  #mistaken(what: string, thrown: unknown): void {
    this.session.bridge.mistakes.tell(this.tool, what, thrown);
  }

  #complete(returned: unknown, context: ToolContext): void {
    if (this.done) return;
    const { definition } = this.tool;
    try {
      const said: unknown = definition.verify ? definition.verify(this.input, context) : true;
      if (said !== true) {
        if (typeof said !== 'string') this.#mistaken(`verify of '${definition.id}'`, 'it must answer true or say what did not happen');
        return this.#failByGame(notVerified(definition.id, said), 'failed');
      }
    } catch (error) {
      return this.#failByGame(error, 'threw from verify');
    }
    const outcome = checkedOutput(this.tool, returned);
    if (!outcome.ok) this.#mistaken(`character '${this.session.character.characterId}'`, outcome.error.message);
    this.#finish(outcome);
  }

  /** The first outcome is the only one; the result goes out before the lane is free (AICC D10). */
  #finish(outcome: Outcome): void {
    if (this.done) return;
    this.done = true;
    this.#timer.stop();
    const { pending, running } = this.session.character;
    pending.delete(this);
    running.delete(this);
    this.#report(outcome, this.#started);
    this.#context?.end(outcome.ok ? undefined : outcome.error);
    for (const listener of this.#whenDone) listener();
    this.#lane?.leave(this);
  }
}

/** D13: the sentence of a `verify` that says no; one that answers neither `true` nor a sentence says no too. */
function notVerified(toolId: string, said: unknown): AiccError {
  ignoreRejection(said);
  return new AiccError(
    'execution_failed',
    typeof said === 'string' && said !== '' ? said : `'${toolId}' could not verify that it happened`,
    false,
    'unverified',
  );
}

/** E2 */
const standsStill = (toolId: string) =>
  new AiccError(
    'execution_failed',
    `'${toolId}' waits for world time, which stands still for it: in event mode it must answer at once, wait with external(), or move the world (advanceOn)`,
    false,
    'standing_still',
  );

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** D13: a `ToolError` chooses; anything else is `execution_failed` with its message, or its name where that is empty. */
function asFailure(thrown: unknown): AiccError {
  try {
    if (thrown instanceof AiccError) return thrown;
  } catch {
    // A proxy may not even say what it is.
  }
  return new AiccError('execution_failed', describeThrown(thrown));
}
