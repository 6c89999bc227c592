/** `phaser-aicc`: lets AI agents drive characters in a Phaser game, from inside the page and, where a relay is named, from outside. */

export type { Json, JsonObject } from '../src/base/json.ts';

import { checkOptions } from '../src/base/check-options.ts';
import { type AiccPluginEntry, pluginEntry, WORLD_OPTIONS } from './game-plugin.ts';
import { loadGameLink } from './load-game-link.ts';
import { type LinkOptions, relayUrl } from './relay-url.ts';
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

/** What a world is called, how its time runs, and the relay that makes it reachable. */
export interface AiccOptions extends WorldOptions, LinkOptions {}

/**
 * One entry for `plugins.global` of the game config: gives every scene `this.aicc`.
 * A HEADLESS game forgets its global plugins: there use `callbacks: { preBoot: entry.preBoot }` (both at once is fine).
 * Without `relay`, and without a page that names one (`<meta name="aicc-relay">`, put there by our own server), no connection is opened.
 * @throws TypeError when there is no usable world name, `relay` is no address or `token` no function
 */
export function aicc(options: AiccOptions): AiccPluginEntry {
  checkOptions('aicc(options)', options, { ...WORLD_OPTIONS, relay: 'any', token: 'any' });
  const { relay, token, ...world } = options ?? {};
  const link: LinkOptions = { relay, token };
  relayUrl(link);
  return pluginEntry(world, (bridge, clock, news) => {
    const url = relayUrl(link);
    return url === undefined ? () => undefined : loadGameLink({ url, token, bridge, clock, ...news });
  });
}
