/** The scenes, by name. */
export const sceneKey = { boot: 'boot', title: 'title', night: 'night', hud: 'hud', pause: 'pause', end: 'end' } as const;

/** What the game and the page around it tell one another, over `game.events`. */
export const pageEvent = {
  chat: 'lantern-night:chat',
  state: 'lantern-night:state',
  nightBegins: 'lantern-night:begins',
  /** It is won, lost, or left. */
  nightEnds: 'lantern-night:ends',
} as const;

/** Where the options are in the game's registry, and the number of nights played. */
export const registryKey = { options: 'options', round: 'round' } as const;
