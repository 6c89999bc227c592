import type { Command } from './command.ts';
import { line } from './io.ts';
import { jsonArgument } from './json-argument.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, tellOfLosses } from './reach.ts';

export const call: Command = {
  summary: 'call one tool and print its output',
  help: `aicc call TOOL [JSON] [options]
Takes the character, calls the tool with the JSON object as input (default {}), prints the output and leaves.
With --json one line: {"ok":true,"output":…} or {"ok":false,"error":{"code","message","retryable","reason"}}.

  --timeout SECONDS  give up after so long, 0.001 to 86400
${DRIVE_HELP}`,
  options: { ...DRIVE_OPTIONS, timeout: { type: 'string' } },
  async run(given, io) {
    given.expectWords('TOOL', 'JSON?');
    const [tool = '', text = '{}'] = given.words;
    const input = jsonArgument(text, 'the input', '{"x": 1}');
    const timeoutMs = given.milliseconds('timeout', 86_400, 0.001);
    const session = await openFrom(given, io, []);
    tellOfLosses(session, (text) => line(io.stderr, `aicc call: ${text}`));
    try {
      const output = await session.call(tool, input, { signal: io.interrupted, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      line(io.stdout, given.flag('json') ? JSON.stringify({ ok: true, output }) : JSON.stringify(output, null, 2));
    } finally {
      await session.close();
    }
    return 0;
  },
};
