/** Runs work when this turn of the event loop is over. Unlike `setTimeout` it waits for nothing and is not slowed down in hidden tabs. */
export interface Macrotasks {
  run(work: () => void): void;
  /** What has not run yet never will. */
  close(): void;
}

export function macrotasks(): Macrotasks {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return {
    run(work) {
      waiting.push(work);
      port2.postMessage(undefined);
    },
    close() {
      waiting.length = 0;
      port1.close();
      port2.close();
    },
  };
}
