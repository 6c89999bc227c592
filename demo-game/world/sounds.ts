import type * as Phaser from 'phaser';

export type SoundName =
  | 'step-1'
  | 'step-2'
  | 'step-wood'
  | 'pick-up'
  | 'light'
  | 'say'
  | 'give'
  | 'nope'
  | 'click'
  | 'warning'
  | 'win'
  | 'lose'
  | 'dawn'
  | 'night';

/** Plays a sound, or nothing where there is none (no device, not loaded) and before the player's first touch: browsers would save it up. */
export function playSound(scene: Phaser.Scene, name: SoundName, volume = 1, detune = 0): void {
  if (!scene.sound.locked && scene.cache.audio.exists(name)) scene.sound.play(name, { volume, detune });
}

/** The night's air, over and over; asking again while it plays changes nothing. */
export function playNight(scene: Phaser.Scene): void {
  if (!scene.cache.audio.exists('night')) return;
  const playing = scene.sound.getAll('night');
  if (playing.length > 0) return;
  scene.sound.add('night').play({ loop: true, volume: 0.55 });
}
