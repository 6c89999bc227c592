import type { Command } from './command.ts';
import { line } from './io.ts';
import { jsonArgument } from './json-argument.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, tellOfLosses } from './reach.ts';

/** Longer than a tool may take, unless its world stands still. */
const DEFAULT_TIMEOUT_MS = 300_000;

export const call: Command = {
  summary: 'call one tool and print its output',
  help: `aicc call TOOL [JSON] [options]
Takes the character, calls the tool with the JSON object as input (default {}), prints the output and leaves.
With --json one line: {"ok":true,"output":…} or {"ok":false,"error":{"code","message","retryable","reason"}}.

  --timeout SECONDS  give up after so long altogether, 0.001 to 86400, default ${DEFAULT_TIMEOUT_MS / 1_000}
${DRIVE_HELP}`,
  options: DRIVE_OPTIONS,
  async run(given, io) {
    given.expectWords('TOOL', 'JSON?');
    const [tool = '', text = '{}'] = given.words;
    const input = jsonArgument(text, 'the input', '{"x": 1}');
    const timeoutMs = given.milliseconds('timeout', 86_400, 0.001) ?? DEFAULT_TIMEOUT_MS;
    const end = performance.now() + timeoutMs;
    const session = await openFrom(given, io, [], { timeoutMs });
    tellOfLosses(session, (text) => line(io.stderr, `aicc call: ${text}`));
    try {
      const output = await session.call(tool, input, {
        signal: io.interrupted,
        timeoutMs: Math.max(1, Math.round(end - performance.now())),
      });
      line(io.stdout, given.flag('json') ? JSON.stringify({ ok: true, output }) : JSON.stringify(output, null, 2));
    } finally {
      await session.close();
    }
    return 0;
  },
};
