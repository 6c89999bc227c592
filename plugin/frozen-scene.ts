import type * as Phaser from 'phaser';

/** One step of a frozen scene's time in milliseconds: one physics step at Phaser's default rate (AICC E2). */
export const STEP_MS = 1000 / 60;

/** The time of an event mode's world: it moves by `STEP_MS` in the frames in which `stepping` holds, and in no other. */
export interface SteppedTime {
  readonly stepping: boolean;
  /** Milliseconds since the world began. */
  readonly now: number;
}

/** Systems' state of a scene whose `create()` is over. */
const RUNNING = 5;

/**
 * Lets the scene's physics, timers, tweens and animations stand still but for the frames in which the world moves, and then move by exactly one step
 * (AICC E2). It is drawn as ever.
 * @returns the way to let it run freely again
 */
export function freezeScene(scene: Phaser.Scene, time: SteppedTime): () => void {
  const { sys } = scene;
  const { step } = sys;
  // What a scene has noted of its time before stays true; one that has not run yet begins with the world, the same way every time.
  const created = sys.settings.status >= RUNNING;
  const offset = created ? scene.time.now - time.now : 0;
  if (!created && scene.time) scene.time.now = time.now;
  const frozen = () => {
    if (!time.stepping) return attend(scene);
    const giveBack = tameTweens(scene);
    try {
      stepMatter(scene, () => step.call(sys, offset + time.now, STEP_MS));
    } finally {
      giveBack();
    }
  };
  sys.step = frozen;
  return () => {
    if (sys.step === frozen) sys.step = step;
  };
}

/** It stands still, but a person can click in it, and what it loads comes in. Parts of Phaser that a custom build leaves out are not there. */
function attend({ input, load }: Phaser.Scene): void {
  (input as Partial<FrameWork> | null)?.preUpdate?.();
  (load as Partial<FrameWork> | null)?.update?.();
}

/** What Phaser's types keep to themselves. */
interface FrameWork {
  preUpdate(): void;
  update(): void;
}

/** Tweens read `Date.now()`. */
function tameTweens({ tweens }: Phaser.Scene): () => void {
  if (!tweens) return () => undefined;
  const { getDelta } = tweens;
  tweens.getDelta = () => STEP_MS;
  return () => {
    tweens.getDelta = getDelta;
  };
}

/** Matter leaves steps out where the machine is slow: it is stepped from here. */
function stepMatter(scene: Phaser.Scene, step: () => void): void {
  const world = (scene.matter as Phaser.Physics.Matter.MatterPhysics | undefined)?.world;
  if (!world?.enabled || !world.autoUpdate) return step();
  world.autoUpdate = false;
  try {
    world.step(STEP_MS);
    step();
  } finally {
    world.autoUpdate = true;
  }
}
