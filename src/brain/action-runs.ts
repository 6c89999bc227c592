import { State } from 'mistreevous';
import { CallError } from '../agent/index.ts';

type TreeFunctions = Record<string, unknown>;

/** One promise of an action node, from its start until the node leaves it. */
class Run {
  readonly controller = new AbortController();
  left = false;

  leave(): void {
    this.left = true;
    this.controller.abort();
  }
}

/**
 * Ties each action's promise to the visit of the node that started it. The library alone would take a promise of an earlier, abandoned visit for
 * the present one's, and could not stop what an abandoned action is still doing.
 */
export class ActionRuns {
  readonly #byNode = new Map<string, Run>();
  readonly #report: (thrown: unknown) => void;
  #current: Run | undefined;
  #started: Run | undefined;

  constructor(report: (thrown: unknown) => void) {
    this.#report = report;
  }

  /** The signal of the action whose function runs right now. */
  signal(): AbortSignal {
    if (this.#current === undefined) throw new Error('signal() may be called only while an action starts, not after an await');
    return this.#current.controller.signal;
  }

  /** What the tree may call: the functions by these names, watched, and everything else of theirs as it is. */
  wrap(functions: TreeFunctions, names: ReadonlySet<string>): TreeFunctions {
    const watched: TreeFunctions = Object.create(functions);
    for (const name of names) watched[name] = (...args: unknown[]) => this.#run(functions, name, args);
    return watched;
  }

  /** To be told every change of a node's state. */
  follow({ id, type, state }: { id: string; type: string; state: State }): void {
    if (type !== 'action') return;
    if (state === State.RUNNING) {
      if (this.#started !== undefined) this.#byNode.set(id, this.#started);
      this.#started = undefined;
      return;
    }
    // READY: the tree abandoned it. Resolved: there is nothing left to abort.
    if (state === State.READY) this.#byNode.get(id)?.leave();
    this.#byNode.delete(id);
  }

  abortAll(): void {
    for (const run of this.#byNode.values()) run.leave();
    this.#byNode.clear();
  }

  #run(functions: TreeFunctions, name: string, args: unknown[]): unknown {
    const run = new Run();
    this.#started = undefined;
    this.#current = run;
    let result: unknown;
    try {
      result = (functions[name] as (...args: unknown[]) => unknown).apply(functions, args);
    } finally {
      this.#current = undefined;
    }
    if (!(result instanceof Promise)) return result;
    this.#started = run;
    return new Promise<State>((resolve) => {
      result.then(
        (value) => {
          if (!run.left) resolve(value === false || value === State.FAILED ? State.FAILED : State.SUCCEEDED);
        },
        (reason) => {
          if (run.left) return;
          resolve(State.FAILED);
          // A call that fails is the game's everyday; anything else is a mistake in the function.
          if (!(reason instanceof CallError)) this.#report(reason);
        },
      );
    });
  }
}
