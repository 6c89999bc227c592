import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { cli } from './run-cli.ts';

const COMMANDS = ['relay', 'worlds', 'wait', 'tools', 'call', 'watch', 'play'];

test('help lists every command, and each explains itself in its own help', async () => {
  for (const argv of [['help'], ['--help']]) {
    const { code, out } = await cli(argv);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
  }
  for (const command of COMMANDS) {
    const asked = await cli([command, '--help']);
    expect(asked.code).toBe(0);
    expect(asked.out).toMatch(new RegExp(`^aicc ${command}`));
    expect((await cli(['help', command])).out).toBe(asked.out);
  }
});

test('--version prints the version', async () => {
  expect(await cli(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
});

test.each([
  [[], 'a command is missing'],
  [['dance'], 'there is no command "dance"; to call a tool: aicc call dance'],
  [['constructor'], 'there is no command'],
  [['help', 'dance'], 'there is no command "dance"'],
  [['worlds', '--loud'], "Unknown option '--loud'"],
  [['worlds', 'extra'], '"extra" is one word too many'],
  [['worlds', '--url', 'nowhere'], 'is not a URL'],
  [['worlds', '--url', 'tcp://127.0.0.1:1'], 'comes over HTTP'],
  [['worlds', '--url'], "'--url <value>' argument missing"],
  [['worlds', '--token', 'x'], "Unknown option '--token'"],
  [['worlds', '--token-file', '/nonexistent/token'], 'cannot be read'],
  [['wait', '--timeout', 'soon'], '--timeout must be a number from 0 to 86400, not "soon"'],
  [['tools', 'a', 'b'], '"b" is one word too many'],
  [['call'], 'TOOL is missing'],
  [['call', 'say', '{oops'], 'the input is not JSON'],
  [['call', 'say', '[1]'], 'must be a JSON object'],
  [['call', 'say', '--wait', '61'], '--wait must be a number from 0 to 60'],
  [['watch', '--topics', 'tick,smell'], 'not "smell"'],
  [['play', '--model', 'huge'], '--model must be one of'],
  [['play', '--json'], "Unknown option '--json'"],
  [['relay', '--port', '65536'], '--port must be a whole number from 0 to 65535'],
  [['relay', '--tcp-port', '1.5'], '--tcp-port must be a whole number'],
])('wrong use, %j, is one line on stderr and exit code 2', async (argv, problem) => {
  const { code, err, out } = await cli(argv);
  expect(err).toContain(problem);
  expect(err.match(/\n/g)).toHaveLength(1);
  expect(err).toMatch(/^aicc.*\(see: aicc.*\)\n$/);
  expect([code, out]).toEqual([2, '']);
});
