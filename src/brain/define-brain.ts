import type { ChannelBrain } from '../agent/brain.ts';
import { attach, type Brain, type Session } from '../agent/index.ts';
import { memoryPair } from '../transport/index.ts';

/** What a developer writes about a driver in the page. */
export interface BrainSpec {
  /** What kind of mind it is, for people to read: `llm`, `chess engine` … */
  kind: string;
  /**
   * Begins to drive, once for each session; it gets every event, `tick` too. What it throws ends the session; what a listener of it throws does not.
   * The game's `log` hears of both.
   * @param report tells the game's `log` of a mistake that was caught
   * @returns the way to stop; nobody else tells its timers and requests to end
   */
  start(session: Session, report: (thrown: unknown) => void): (() => void) | Promise<() => void>;
}

/**
 * Makes a driver for `character.drive(brain)` and `fallback`.
 *
 *     const greeter = defineBrain({
 *       kind: 'greeter',
 *       start: (session) => session.on('audio', ({ from }) => session.call('say', { text: `Hello, ${from}!` })),
 *     });
 *
 * @throws TypeError for a spec without a kind or a start
 */
export function defineBrain(spec: BrainSpec): Brain {
  const { kind } = spec ?? {};
  if (typeof kind !== 'string' || kind === '') throw new TypeError("defineBrain: kind must say what kind of mind it is, like 'llm'");
  if (typeof spec.start !== 'function') throw new TypeError(`defineBrain: start of '${kind}' must be a function (session) => stop`);
  const brain: ChannelBrain = {
    kind,
    openChannel: memoryPair,
    driveOver(channel, report) {
      let stopped = false;
      let end: (() => void) | undefined;
      const stop = () => {
        stopped = true;
        const ending = end;
        end = undefined;
        try {
          ending?.();
        } catch (thrown) {
          report(thrown);
        }
      };
      const drive = async (session: Session) => {
        if (stopped) return;
        session.on('error', (error) => {
          // Calls that end with the session are nobody's mistake.
          if (!stopped) report(error);
        });
        try {
          end = await spec.start(session, report);
        } catch (thrown) {
          report(thrown);
          channel.close();
        }
        if (stopped) stop();
      };
      // A channel that ends before there is a session: whoever ended it knows why.
      attach(channel).then(drive, () => undefined);
      return stop;
    },
  };
  return Object.freeze(brain);
}
