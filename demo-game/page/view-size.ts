/** How big the game is, in its own pixels, and how much each is enlarged. */
export interface ViewSize {
  width: number;
  height: number;
  zoom: number;
}

/** The shorter side of the window shows about this many pixels of the world. */
const shortSide = 240;

/** Fills a window with game pixels that are a whole number of device pixels. */
export function viewSize(windowWidth: number, windowHeight: number, pixelRatio: number): ViewSize {
  const short = Math.min(windowWidth, windowHeight) * pixelRatio;
  const step = Math.max(1, Math.floor(short / shortSide));
  const zoom = step / pixelRatio;
  return { width: Math.ceil(windowWidth / zoom), height: Math.ceil(windowHeight / zoom), zoom };
}
