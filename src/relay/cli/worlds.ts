import type { Command } from './command.ts';
import { line } from './io.ts';
import { answerTime, fetchWorlds, REACH_HELP, REACH_OPTIONS, TIMEOUT_HELP, type WorldEntry } from './reach.ts';

export const worlds: Command = {
  summary: 'list the worlds and characters at a relay',
  help: `aicc worlds [options]
Lists the worlds that are connected, their characters, and who drives each.

${TIMEOUT_HELP}
${REACH_HELP}`,
  options: REACH_OPTIONS,
  async run(given, io) {
    given.expectWords();
    const list = await fetchWorlds(given, io, answerTime(given));
    line(
      io.stdout,
      given.flag('json') ? JSON.stringify(list) : list.length === 0 ? 'No world is connected.' : list.map(describe).join('\n'),
    );
    return 0;
  },
};

function describe({ characters, kind, world }: WorldEntry): string {
  const rows = characters.map((each) => {
    const driver = each.driver === 'none' ? 'nobody' : each.driver;
    return `  ${each.id}${each.default ? ' (default)' : ''}  driven by ${driver}, agents ${each.sessions}/${each.max_sessions}\n      ${each.description}`;
  });
  return [`${world}  (${kind})${rows.length === 0 ? '  no characters yet' : ''}`, ...rows].join('\n');
}
