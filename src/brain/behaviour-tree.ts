import { BehaviourTree, convertMDSLToJSON, State, validateDefinition } from 'mistreevous';
import type { Brain, Session } from '../agent/index.ts';
import { checkOptions } from '../base/check-options.ts';
import { ActionRuns } from './action-runs.ts';
import { calledNames } from './called-names.ts';
import { defineBrain } from './define-brain.ts';

/** The tree, the object that its names stand for, and its pace. */
export interface BehaviourTreeOptions {
  /** The tree in mistreevous' MDSL: `root { sequence { action [FindOil] … } }`. `wait` counts world time. */
  definition: string;
  /**
   * Makes the object whose methods the tree's names stand for, once for each session. A condition or guard returns a boolean. An action returns
   * `State`, nothing (it goes on), or a promise: one that resolves (unless with `false` or `State.FAILED`) has succeeded, one that rejects has failed,
   * so `Fetch: () => session.call('move_to', { target })` is a whole action.
   * @param signal gives the signal of the action being started, which aborts when the tree leaves it; pass it on to `session.call`
   */
  agent(session: Session, signal: () => AbortSignal): object;
  /** World time between two steps, in milliseconds. Default 0: at each tick. */
  stepMs?: number;
  /** What the badge says. Default `behaviour tree`. */
  kind?: string;
  /** For `lotto` and random `wait`s; from 0 up to 1. Default `Math.random`. */
  random?: () => number;
  /**
   * A function of the tree threw; the tree starts anew at the next tick. Or an action rejected with something that is no failed call.
   * Default: the game's `log` is told.
   */
  onError?: (error: Error) => void;
}

/**
 * A driver that walks a behaviour tree, step by step on the world's ticks, so it is at home in hidden tabs and in Node too. It rests while
 * somebody else holds the character and starts the tree anew afterwards. The session must get `tick` events.
 * A name in the definition that `agent` does not give ends its session, and the game's `log` hears of it.
 * @throws {Error} for a definition that is no tree
 */
export function behaviourTree(options: BehaviourTreeOptions): Brain {
  checkOptions('behaviourTree(options)', options, {
    definition: 'string',
    agent: 'function',
    stepMs: 'number',
    kind: 'string',
    random: 'function',
    onError: 'function',
  });
  const { definition, kind = 'behaviour tree' } = options;
  const { succeeded, errorMessage } = validateDefinition(definition);
  if (!succeeded) throw new Error(`the behaviour tree's definition is not valid: ${errorMessage}`);
  const names = calledNames(convertMDSLToJSON(definition));
  return defineBrain({ kind, start: (session, report) => drive(session, options, names, report) });
}

function drive(session: Session, options: BehaviourTreeOptions, names: ReadonlySet<string>, toLog: (thrown: unknown) => void): () => void {
  const { agent, definition, onError = toLog, random, stepMs = 0 } = options;
  const report = (thrown: unknown) => {
    try {
      onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } catch {
      // `onError` itself must not throw; errors from it are ignored.
    }
  };
  const runs = new ActionRuns(report);
  const functions = agent(session, () => runs.signal()) as Record<string, unknown>;
  for (const name of names) {
    if (typeof functions[name] !== 'function') throw new Error(`the behaviour tree calls ${name}, which its agent() does not give`);
  }
  const wrapped = runs.wrap(functions, names);

  let tree: BehaviourTree | undefined;
  let acting = true;
  let sinceStepMs = 0;
  const plant = () =>
    new BehaviourTree(definition, wrapped, {
      getDeltaTime: () => sinceStepMs / 1000,
      onNodeStateChange: (change) => runs.follow(change),
      ...(random === undefined ? {} : { random }),
    });
  const rest = () => {
    tree = undefined;
    runs.abortAll();
  };
  const step = () => {
    try {
      tree ??= plant();
      tree.step();
    } catch (thrown) {
      rest();
      report(thrown);
    }
  };

  const listening = [
    session.on('tick', ({ dt_ms }) => {
      sinceStepMs += dt_ms;
      if (!acting || sinceStepMs < stepMs) return;
      step();
      sinceStepMs = 0;
    }),
    session.on('state_change', ({ kind }) => {
      if (kind === 'control_lost') {
        acting = false;
        rest();
      } else if (kind === 'control_gained') {
        acting = true;
        sinceStepMs = 0;
      }
    }),
    session.on('close', () => stop()),
  ];
  const stop = () => {
    acting = false;
    for (const remove of listening) remove();
    rest();
  };
  return stop;
}

export { State };
