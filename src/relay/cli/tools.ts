import type { Command } from './command.ts';
import { findTool } from './find-tool.ts';
import { line } from './io.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, TIMEOUT_HELP, tellOfLosses } from './reach.ts';
import { describeTool, listTools } from './tool-text.ts';

export const tools: Command = {
  summary: 'show what a character can sense and do',
  help: `aicc tools [TOOL] [options]
Prints the catalogue of a character's tools, or all about one of them, without taking the character.
With --offer it is what the offer allows, and the character is taken for a moment.

${TIMEOUT_HELP}
${DRIVE_HELP}`,
  options: DRIVE_OPTIONS,
  async run(given, io) {
    given.expectWords('TOOL?');
    const session = await openFrom(given, io, [], { spectate: true });
    tellOfLosses(session, (text) => line(io.stderr, `aicc tools: ${text}`));
    try {
      const [id] = given.words;
      const shown = id === undefined ? session.tools : findTool(session, id);
      if (given.flag('json')) line(io.stdout, JSON.stringify(shown));
      else line(io.stdout, id === undefined ? listTools(session.tools) : describeTool(findTool(session, id)));
    } finally {
      await session.close();
    }
    return 0;
  },
};
