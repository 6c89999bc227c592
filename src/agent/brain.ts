import type { Channel } from '../transport/index.ts';

/** A driver that lives in the game's page: `character.drive(brain)`. Made by `defineBrain` or `behaviourTree` of `phaser-aicc/brain`. */
export interface Brain {
  /** What kind of mind it is, for people: `behaviour tree`, `llm` … */
  readonly kind: string;
}

/** A `Brain` as the plugin uses it. It brings along a channel and what makes a session of it, so that games without one need not ship that. */
export interface ChannelBrain extends Brain {
  /** A channel inside the page, for a session of its: both ends. */
  openChannel(): [brains: Channel, bridges: Channel];
  /**
   * Drives over a channel whose other end sends `session_init` by itself, until that channel ends. Never throws.
   * @param report told of mistakes in the brain's own code
   * @returns the way to stop it; who calls that ends the channel too
   */
  driveOver(channel: Channel, report: (thrown: unknown) => void): () => void;
}
