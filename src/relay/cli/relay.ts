import { DEFAULT_HOST, DEFAULT_PORTS } from '../../protocol/default-addresses.ts';
import { startRelay } from '../index.ts';
import { AICONTROL_HELP, AICONTROL_OPTIONS, aiControlFrom } from './aicontrol-options.ts';
import type { Command } from './command.ts';
import { interruption, line } from './io.ts';
import { OPENCLASP_HELP, OPENCLASP_OPTIONS, openClaspFrom } from './openclasp-options.ts';

const MAX_PORT = 65_535;

export const relay: Command = {
  summary: 'start a relay between games and agents',
  help: `aicc relay [options]
Carries messages between game pages and agents until Ctrl-C. When it listens it prints one line:
AICC_READY {"url":…,"agent":…,"tcp":…,"pid":…} (and "aicontrol":… where that is on)

  --port PORT            HTTP and WebSocket, default ${DEFAULT_PORTS.http}; 0: a free one
  --tcp-port PORT        AICC over TCP, default ${DEFAULT_PORTS.tcp}; 0: a free one
  --host ADDRESS         default ${DEFAULT_HOST}; any that others can reach needs tokens
  --static DIR           also serve this folder, such as a built game
  --allow-origin ORIGIN  a web page's origin that may connect; may be repeated
  --allow-host NAME      another name that this relay is called by; may be repeated
  --tokens FILE          JSON: SHA-256 of a token -> {name, role?, characters?, capabilities?}
${AICONTROL_HELP}
${OPENCLASP_HELP}
Environment: AICC_AGENT_TOKEN and AICC_GAME_TOKEN, what agents and games must know.`,
  options: {
    port: { type: 'string' },
    'tcp-port': { type: 'string' },
    host: { type: 'string' },
    static: { type: 'string' },
    'allow-origin': { type: 'string', multiple: true },
    'allow-host': { type: 'string', multiple: true },
    tokens: { type: 'string' },
    ...AICONTROL_OPTIONS,
    ...OPENCLASP_OPTIONS,
  },
  async run(given, io) {
    given.expectWords();
    const port = (name: string) => given.number(name, { min: 0, max: MAX_PORT, whole: true });
    const started = await startRelay({
      host: given.text('host'),
      port: port('port'),
      tcpPort: port('tcp-port'),
      staticDir: given.text('static'),
      allowedOrigins: given.texts('allow-origin'),
      allowedHosts: given.texts('allow-host'),
      tokensFile: given.text('tokens'),
      agentToken: io.env.AICC_AGENT_TOKEN,
      gameToken: io.env.AICC_GAME_TOKEN,
      aicontrol: await aiControlFrom(given, io),
      openclasp: openClaspFrom(given, io),
      log: (text) => line(io.stderr, `${new Date().toTimeString().slice(0, 8)} ${text}`),
    });
    const { agentUrl: agent, aicontrolPort: aicontrol, tcpPort: tcp, url } = started;
    line(io.stdout, `AICC_READY ${JSON.stringify({ url, agent, tcp, aicontrol, pid: process.pid })}`);
    await interruption(io);
    await started.close();
    return 0;
  },
};
