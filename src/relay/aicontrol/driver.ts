import { CallError, ConnectError, connect, type Session } from '../../agent/node.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { TOPICS, type Topic } from '../../protocol/index.ts';
import type { Channel } from '../../transport/index.ts';
import { AICONTROL_LIMITS } from './aicontrol-limits.ts';
import { toolInput } from './command-input.ts';
import type { Command, Outcome } from './command-queue.ts';
import { commandsOf, type Seen } from './observation.ts';

export interface DriverOptions {
  character: string;
  /** Default: the only world that has the character. */
  world?: string | undefined;
  /** What it drives under, where an offer is needed. */
  offer?: { sessionOffer: object; token: string } | undefined;
  /** A channel whose other end is at the relay's door. */
  enter(): Channel;
  /** Calls back when games or characters come or go; returns the way to stop that. */
  onChange(listener: () => void): () => void;
  clock: Clock;
  /** The world or its character looks otherwise than it did. */
  seen(seen: Seen): void;
  /** One AICC event, but for ticks: those are what is seen. */
  event(topic: Topic, payload: JsonObject): void;
}

/** Every tick of the world, whatever a model could keep up with (AICC E5). */
const EVERY_TICK = { class: 'edge_small', expected_full_response_ms: 0 } as const;

/** What may be asked of a game at all: its tools' ids look like this. */
const TOOL_ID = /^[a-z][a-z0-9_]*$/;

/** Drives one character as an ordinary agent (AiControl W18): takes it when it is wanted and to be had, gives it back, runs commands. */
export class Driver {
  readonly #options: DriverOptions;
  readonly #stopListening: () => void;
  #wanted = false;
  #session: Session | undefined;
  #taking: { attempt: Promise<Session>; abort: AbortController } | undefined;
  /** Why the character is not held; forgotten when another try may succeed. */
  #failure: Error | undefined;
  #stopRetry = () => {};
  #tick = 0;
  #isPaused = false;
  /** The newest; undefined before the session's first tick. */
  #snapshot: JsonObject | undefined;
  /** A command has ended since. */
  #isOutdated = false;
  readonly #waiting = new Set<() => void>();

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#stopListening = options.onChange(() => this.#retry());
  }

  get seen(): Seen {
    const { character, world } = this.#options;
    const held = this.#snapshot === undefined ? undefined : this.#session;
    return {
      ready: held !== undefined,
      paused: this.#isPaused,
      world: this.#session?.world.name ?? world ?? '',
      character,
      tick: this.#tick,
      tools: held?.tools ?? [],
      snapshot: this.#snapshot ?? {},
    };
  }

  /** Whether the character is held and seen as it is after the last command, or known not to be held. */
  get isSettled(): boolean {
    return this.#session === undefined ? this.#failure !== undefined : this.#snapshot !== undefined && !this.#isOutdated;
  }

  /** Takes the character, now or as soon as it is to be had. */
  take(): void {
    this.#wanted = true;
    if (this.#session === undefined && this.#failure === undefined) this.#tryToTake().catch(() => {});
  }

  /** Resolves when `isSettled`, at the latest after `AICONTROL_LIMITS.takeMs`, or `freshTicks` where only the next tick is missing. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    const { freshTicks, takeMs } = AICONTROL_LIMITS;
    const patience =
      this.#session === undefined || this.#snapshot === undefined
        ? takeMs
        : Math.min(takeMs, (freshTicks * 1_000) / this.#session.tickRateHz);
    return new Promise((resolve) => {
      const done = () => {
        stop();
        // A world that stands still shows nothing new.
        this.#isOutdated = false;
        this.#waiting.delete(done);
        resolve();
      };
      const stop = this.#options.clock.schedule(done, patience);
      this.#waiting.add(done);
    });
  }

  /** Gives the character back and wants it no more. Resolves when the game has heard of it, or does not answer. */
  async giveBack(reason: string): Promise<void> {
    const session = this.#session;
    this.#wanted = false;
    this.#stopRetry();
    this.#taking?.abort.abort();
    this.#taking = undefined;
    this.#leave(undefined);
    await session?.close(reason);
  }

  close(reason: string): Promise<void> {
    this.#stopListening();
    return this.giveBack(reason);
  }

  /** Runs a command. What is wrong with it, or with the character, is its outcome; an abort before it was sent is told at once. */
  run(command: Command, signal: AbortSignal, done: (outcome: Outcome) => void): void {
    if (this.#session !== undefined) return this.#perform(this.#session, command, signal, done);
    if (this.#failure !== undefined) return done(failed(this.#failure));
    const unsent = () => done(failed(new Error('cancelled')));
    signal.addEventListener('abort', unsent, { once: true });
    this.#tryToTake().then(
      (session) => {
        signal.removeEventListener('abort', unsent);
        if (!signal.aborted) this.#perform(session, command, signal, done);
      },
      (error: Error) => done(failed(error)),
    );
  }

  #perform(session: Session, { type, fields, observedTick }: Command, signal: AbortSignal, done: (outcome: Outcome) => void): void {
    const call = async (): Promise<Outcome> => {
      const tool = session.tools.find(({ id }) => id === type);
      if (tool?.class === 'sensor' || !TOOL_ID.test(type)) return unknownCommand(type, session);
      // What is not listed may be forbidden: the game says so.
      const input = tool === undefined ? fields : toolInput(tool, fields, observedTick);
      return { ok: true, output: await session.call(type, input, { signal, awaitOutcome: true }) };
    };
    const over = (outcome: Outcome) => {
      // In event mode nothing but the next call brings another tick.
      if (this.#session === session) this.#isOutdated = session.tickMode !== 'event';
      done(outcome);
    };
    // A game's catalogue is its own work: one that makes no sense is the command's failure, not the relay's.
    call().then(over, (error: Error) => over(isUnknown(error) ? unknownCommand(type, session) : failed(error)));
  }

  #retry(): void {
    if (!this.#wanted || this.#session !== undefined) return;
    this.#stopRetry();
    this.#failure = undefined;
    this.#tryToTake().catch(() => {});
  }

  #tryToTake(): Promise<Session> {
    if (this.#taking === undefined) {
      const abort = new AbortController();
      this.#taking = { attempt: this.#open(abort.signal), abort };
    }
    return this.#taking.attempt;
  }

  async #open(signal: AbortSignal): Promise<Session> {
    const { character, enter, offer, world } = this.#options;
    const presented = offer && { offer: offer.sessionOffer, token: offer.token };
    const options = { character, ...(world !== undefined && { world }), ...presented, model: EVERY_TICK, subscribe: TOPICS, signal };
    try {
      const session = await connect({ channel: enter(), ...options });
      if (signal.aborted) void session.close();
      signal.throwIfAborted();
      this.#taking = undefined;
      this.#hold(session);
      return session;
    } catch (error) {
      if (!signal.aborted) {
        this.#taking = undefined;
        this.#leave(error as Error);
      }
      throw error;
    }
  }

  #hold(session: Session): void {
    this.#session = session;
    session.on('close', ({ reason }) => {
      if (this.#session === session) this.#leave(new Error(`the character was lost${reason && `: ${reason}`}`));
    });
    session.on('tools', () => this.#show());
    session.on('tick', ({ tick, snapshot = {} }) => {
      if (this.#session !== session) return;
      this.#tick = tick;
      this.#snapshot = snapshot;
      this.#isOutdated = false;
      this.#show();
    });
    for (const topic of TOPICS)
      if (topic !== 'tick')
        session.on(topic, (payload: JsonObject) => {
          if (this.#session === session && topic === 'state_change') this.#stateChanged(payload);
          this.#options.event(topic, payload);
        });
  }

  /** E6: no tick shows a pause, for there is none while it lasts. */
  #stateChanged({ kind }: JsonObject): void {
    if (kind !== 'world_paused' && kind !== 'world_resumed') return;
    this.#isPaused = kind === 'world_paused';
    this.#show();
  }

  /** The character is not held any more, or could not be taken. */
  #leave(failure: Error | undefined): void {
    this.#session = undefined;
    this.#snapshot = undefined;
    this.#isOutdated = false;
    this.#isPaused = false;
    this.#failure = failure;
    if (failure !== undefined) this.#stopRetry = this.#options.clock.schedule(() => this.#retry(), AICONTROL_LIMITS.retryMs);
    this.#show();
  }

  #show(): void {
    this.#options.seen(this.seen);
    if (this.isSettled || !this.#wanted) for (const done of [...this.#waiting]) done();
  }
}

const isUnknown = (error: Error): boolean => error instanceof CallError && error.code === 'tool_unknown';

function unknownCommand(type: string, { tools }: Session): Outcome {
  const known = commandsOf(tools).map(({ id }) => id);
  const what = tools.some(({ id }) => id === type) ? 'is a sensor: observe shows what it sees' : 'is no action of this character';
  return {
    ok: false,
    code: 'tool_unknown',
    reason: 'tool_unknown',
    message: `${JSON.stringify(type.slice(0, 100))} ${what}; actions are ${known.join(', ')}`,
  };
}

function failed(error: Error): Outcome {
  const { message } = error;
  if (error instanceof CallError) return { ok: false, code: error.code, reason: error.reason, message };
  const code = error instanceof ConnectError && error.code !== 'unreachable' ? error.code : 'tool_unavailable';
  return { ok: false, code, reason: code, message };
}
