/** How many calls of each tool have passed its limits (AICC D7): in one session, or under one contract in all its sessions together. */
export class CallCounts {
  readonly #counts = new Map<string, number>();

  of(toolId: string): number {
    return this.#counts.get(toolId) ?? 0;
  }

  add(toolId: string): void {
    this.#counts.set(toolId, this.of(toolId) + 1);
  }
}
