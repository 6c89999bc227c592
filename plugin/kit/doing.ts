import { type Context, ownKey } from '../context.ts';

const busy = new WeakMap<object, Set<{ text: string }>>();

/**
 * Notes what the caller is doing for as long as this call runs; `body` shows it. For slow tools of your own, too.
 * @param text like `lighting lantern_1`
 * @returns the way to say that it is over; an aborted call is over by itself
 */
export function doing(context: Context, text: string): () => void {
  const who = ownKey(context);
  const all = busy.get(who) ?? new Set();
  busy.set(who, all);
  const entry = { text };
  all.add(entry);
  const over = () => {
    all.delete(entry);
    context.signal.removeEventListener('abort', over);
  };
  context.signal.addEventListener('abort', over);
  return over;
}

export function whatDoes(context: Context): string {
  const all = [...(busy.get(ownKey(context)) ?? [])].map(({ text }) => text);
  return all.length > 0 ? all.join(' and ') : 'idle';
}
