import type { GameObject } from './compat.ts';

interface Watched {
  readonly listeners: Set<() => void>;
  release(): void;
}

const watched = new WeakMap<GameObject, Watched>();

/**
 * Tells at once when the object is made inactive or destroyed. `killAndHide` and the like emit nothing, and a pool may give the body out again
 * within the same frame: only the `active` flag itself knows, so it is watched while somebody listens.
 * @returns the way to stop listening
 */
export function onDeath(object: GameObject, died: () => void): () => void {
  const watch = watched.get(object) ?? startWatching(object);
  watch.listeners.add(died);
  return () => {
    watch.listeners.delete(died);
    if (watch.listeners.size > 0) return;
    watch.release();
    watched.delete(object);
  };
}

function startWatching(object: GameObject): Watched {
  const listeners = new Set<() => void>();
  let active = object.active;
  const flag = Object.getOwnPropertyDescriptor(object, 'active');
  // A class with an accessor of its own keeps it: its deaths are seen at the next frame.
  const ours = flag?.configurable === true && 'value' in flag;
  if (ours) {
    Object.defineProperty(object, 'active', {
      configurable: true,
      enumerable: true,
      get: () => active,
      set(value: boolean) {
        active = value;
        if (!value) for (const died of [...listeners]) died();
      },
    });
  }
  const watch: Watched = {
    listeners,
    release() {
      if (ours) Object.defineProperty(object, 'active', { configurable: true, enumerable: true, writable: true, value: active });
    },
  };
  watched.set(object, watch);
  return watch;
}
