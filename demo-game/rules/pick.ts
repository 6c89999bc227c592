/** `count` of `from`, picked by a seeded source of numbers from 0 to 1, in the order they had. */
export function pick<T>(from: readonly T[], count: number, random: () => number): T[] {
  const left = from.map((_, index) => index);
  while (left.length > count) left.splice(Math.floor(random() * left.length), 1);
  return left.map((index) => from[index] as T);
}
