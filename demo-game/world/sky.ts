/** Red, green and blue, 0 to 255. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly css: string;
}

const rgb = (r: number, g: number, b: number): Rgb => ({ r, g, b, css: `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})` });

export function mixColours(a: Rgb, b: Rgb, t: number): Rgb {
  return rgb(a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t);
}

/** What the sky lets one see, by how much of the night is over: dusk, deep night, the grey before dawn, dawn. */
const hours: readonly [number, Rgb][] = [
  [0, rgb(92, 92, 150)],
  [0.12, rgb(66, 70, 134)],
  [0.55, rgb(56, 62, 126)],
  [0.78, rgb(84, 78, 140)],
  [0.92, rgb(158, 112, 142)],
  [1, rgb(255, 206, 166)],
];

/** Everything is over and well. */
export const morning: Rgb = rgb(255, 236, 206);

export function skyAt(progress: number): Rgb {
  const next = hours.findIndex(([at]) => at >= progress);
  const [to, later] = hours[Math.max(1, next)] ?? [1, morning];
  const [from, earlier] = hours[Math.max(1, next) - 1] ?? [0, morning];
  return mixColours(earlier, later, Math.min(1, Math.max(0, (progress - from) / (to - from))));
}
