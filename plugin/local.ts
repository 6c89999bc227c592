/** `phaser-aicc/local`: the same surface for games that never open a connection; no code of the remote path is in here (AiControl W17). */
export type { Json, JsonObject } from '../src/base/json.ts';

import { checkOptions } from '../src/base/check-options.ts';
import { type AiccPluginEntry, pluginEntry, WORLD_OPTIONS } from './game-plugin.ts';
import type { WorldOptions } from './world.ts';

export type { Brain, Session } from '../src/agent/index.ts';
export type {
  ApprovalRequest,
  Approve,
  Decided,
  Decision,
  Driver,
  GameTopic,
  OnBusy,
  Policy,
  Question,
  Tool,
  ToolFacts,
  ToolInput,
  ToolSpec,
} from '../src/bridge/index.ts';
export { ToolError } from '../src/bridge/index.ts';
export { type Body, bodyOf } from './bodies/index.ts';
export type { Character, CharacterOptions } from './character.ts';
export type { Rect, XY } from './compat.ts';
export { type Context, defineTool } from './context.ts';
export type { Entity, EntityOptions } from './entities.ts';
export type { AiccPluginEntry } from './game-plugin.ts';
export { aiccOf, type SceneAicc } from './scene-plugin.ts';
export type { MapOptions } from './walls.ts';
export type { WorldOptions as AiccOptions } from './world.ts';

/**
 * One entry for `plugins.global` of the game config: gives every scene `this.aicc`.
 * A HEADLESS game forgets its global plugins: there use `callbacks: { preBoot: entry.preBoot }` (both at once is fine).
 * @throws TypeError when there is no usable world name
 */
export function aicc(options: WorldOptions): AiccPluginEntry {
  checkOptions('aicc(options)', options, WORLD_OPTIONS);
  return pluginEntry(options, () => () => undefined);
}
