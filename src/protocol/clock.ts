/** Wall time, given from outside so that tests decide it. World time is not here: it moves only when the bridge is advanced. */
export interface Clock {
  /** Milliseconds from any fixed point; never goes back. */
  wallNow(): number;
  /** Runs once after `ms` of wall time, however long that is, also while no frame runs; returns the way to call it off. */
  schedule(run: () => void, ms: number): () => void;
}
