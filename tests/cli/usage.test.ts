import { describe, expect, test } from 'vitest';
import { version } from '../../package.json';
import { programOf } from '../../src/relay/cli/program.ts';
import { cli, runCli } from './run-cli.ts';

const COMMANDS = ['relay', 'worlds', 'wait', 'tools', 'types', 'call', 'watch', 'play'];

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

test.each(['--version', 'version'])('%s prints the version', async (word) => {
  expect(await cli([word])).toEqual({ code: 0, out: `${version}\n`, err: '' });
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
  [['wait', '--timeout', '-1'], '--timeout must be a number from 0 to 86400, not "-1"'],
  [['wait', '--timeout=-1'], '--timeout must be a number from 0 to 86400, not "-1"'],
  [['wait', '--timeout', '--json'], "Option '--timeout' argument is ambiguous"],
  [['call', 'say', '--timeout', '0'], '--timeout must be a number from 0.001 to 86400, not "0"'],
  [['call', 'say', '--timeout', '-.5'], '--timeout must be a number from 0.001 to 86400, not "-.5"'],
  [['aicontrol', 'ping', '--timeout', '0'], '--timeout must be a number from 0.001 to 86400'],
  [['call', 'say', '-1'], "Unknown option '-1'"],
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

test.each([
  ['/usr/bin/aicc', {}, 'aicc'],
  ['/project/node_modules/.bin/phaser-aicc', {}, 'phaser-aicc'],
  ['/project/node_modules/phaser-aicc/dist/cli.js', {}, 'aicc'],
  ['/project/node_modules/.bin/phaser-aicc', { npm_command: 'exec' }, 'npx phaser-aicc'],
  ['/project/node_modules/.bin/aicc', { npm_command: 'exec' }, 'npx phaser-aicc'],
  ['/project/node_modules/.bin/aicc', { npm_command: 'run-script' }, 'aicc'],
  [undefined, {}, 'aicc'],
])('who calls it %s, with %j, types %s', (script, env, program) => {
  expect(programOf(script, env)).toBe(program);
});

describe('who types npx phaser-aicc', () => {
  const npx = async (...argv: string[]) => {
    const run = runCli(argv, { program: 'npx phaser-aicc' });
    return { code: await run.exit, out: run.out(), err: run.err() };
  };

  test('reads it in help and hints', async () => {
    expect((await npx('help')).out).toMatch(/\nMore: npx phaser-aicc COMMAND --help\n$/);
    for (const command of COMMANDS) {
      const { out } = await npx(command, '--help');
      expect(out).toMatch(new RegExp(`^npx phaser-aicc ${command}`));
      expect(out).not.toMatch(/(?<!phaser-)aicc (relay|worlds|wait|tools|types|call|watch|play)/);
    }
    expect((await npx('dance')).err).toBe(
      'aicc: there is no command "dance"; to call a tool: npx phaser-aicc call dance (see: npx phaser-aicc help)\n',
    );
    expect((await npx('keys', 'old')).err).toBe('aicc keys: say npx phaser-aicc keys new, not "old" (see: npx phaser-aicc keys --help)\n');
  });

  test('who types aicc reads that, and how to do without', async () => {
    expect((await cli(['help'])).out).toContain('\nMore: aicc COMMAND --help (without aicc on your path: npx phaser-aicc COMMAND)\n');
  });
});
