import { shown } from '../base/check-options.ts';
import { LIMITS, utf8Bytes } from '../protocol/index.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { type CompiledTool, compileTool } from './catalogue.ts';
import type { Tool } from './tool.ts';

/**
 * The tools of one character, as they go into one catalogue.
 * @throws TypeError for something that is no tool, an id that is there twice, or more than fits into a message
 */
export function compileAll(characterId: string, tools: readonly Tool[], squad: boolean): CompiledTool[] {
  if (!Array.isArray(tools)) throw new TypeError(`character '${characterId}': tools must be an array of tools, not ${shown(tools)}`);
  const compiled = (tools as readonly Tool[]).map((tool) => compileTool(tool, squad));
  const taken = new Set(BUILT_IN_TOOLS.map(({ tool }) => tool.entry.id));
  for (const { entry } of compiled) {
    if (taken.has(entry.id))
      throw new TypeError(`character '${characterId}': the tool id '${entry.id}' is there twice or is built in; give each tool its own id`);
    taken.add(entry.id);
  }
  const bytes = utf8Bytes(JSON.stringify(compiled.map(({ entry }) => entry)));
  if (bytes > LIMITS.catalogueBytes)
    throw new TypeError(
      `character '${characterId}': its tools take ${bytes} bytes of JSON together, more than the ${LIMITS.catalogueBytes} that a session_init has room for; shorten descriptions and schemas or give it fewer tools`,
    );
  return compiled;
}
