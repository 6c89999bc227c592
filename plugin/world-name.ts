/** What the relay calls a world: `forest`, or `forest-2` where another game is `forest` already (AICC C6). */
export interface WorldName {
  /** As the relay has said it last, in this page or before its reload; else as the game says it. */
  readonly current: string;
  /** The relay has said it. */
  set(name: string): void;
  close(): void;
}

/**
 * Keeps a world's name over a reload of its page, and over a game that is made anew in it. The name stands in the tab's storage only while no game
 * bears it, because a tab that is duplicated copies its storage.
 * @param world as the game says it
 */
export function keepWorldName(world: string): WorldName {
  const key = `aicc-world ${world}`;
  let current = inStorage((storage) => storage.getItem(key)) || world;
  const take = () => inStorage((storage) => storage.removeItem(key));
  const leave = () => inStorage((storage) => current !== world && storage.setItem(key, current));
  take();
  // A page that the browser keeps for the back button comes to life again.
  const listeners = { pagehide: leave, pageshow: take };
  for (const [type, listener] of Object.entries(listeners)) globalThis.addEventListener?.(type, listener);
  return {
    get current() {
      return current;
    },
    set(name) {
      current = name;
    },
    close() {
      for (const [type, listener] of Object.entries(listeners)) globalThis.removeEventListener?.(type, listener);
      leave();
    },
  };
}

/** Outside a page there is no storage, and a page in a frame may not be allowed to have one. */
function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return typeof document === 'undefined' ? undefined : use(sessionStorage);
  } catch {
    return undefined;
  }
}
