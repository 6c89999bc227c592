/** What the page's address may ask for: `?play`, `renderer=canvas|webgl`, `seed=N`, `driver=none`. */
export interface Options {
  /** Skip the title. */
  readonly play: boolean;
  /** `auto`: WebGL where there is one. */
  readonly renderer: 'auto' | 'canvas' | 'webgl';
  /** The same seed, the same night. Without one: a new night each time. */
  readonly seed: string;
  /** Whether Mira's built-in mind plays while nobody else drives her. */
  readonly companion: boolean;
}

/** Unknown or malformed flags are ignored: an address is no place for errors. */
export function readOptions(search: string, newSeed: () => string): Options {
  const query = new URLSearchParams(search);
  const renderer = query.get('renderer');
  return {
    play: query.has('play'),
    renderer: renderer === 'canvas' || renderer === 'webgl' ? renderer : 'auto',
    seed: query.get('seed') || newSeed(),
    companion: query.get('driver') !== 'none',
  };
}
