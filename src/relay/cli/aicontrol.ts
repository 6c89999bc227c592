import {
  type AiControlClient,
  type AiControlCommand,
  AiControlConnectionError,
  AiControlError,
  connectAiControl,
} from '../../agent/aicontrol/index.ts';
import { DEFAULT_HOST, DEFAULT_PORTS } from '../../protocol/default-addresses.ts';
import { tokenFrom } from './aicontrol-options.ts';
import type { Command, Given } from './command.ts';
import { type Io, line, UsageError } from './io.ts';
import { jsonArgument } from './json-argument.ts';

const DEFAULT_TIMEOUT_MS = 5_000;
const TOKEN_ENV = 'AICC_AICONTROL_TOKEN';

type Ask = (client: AiControlClient, given: Given) => Promise<unknown>;

const METHODS: Record<string, { words: string[]; ask: Ask }> = {
  ping: {
    words: [],
    async ask(client) {
      await client.ping();
      return { ok: true };
    },
  },
  status: { words: [], ask: (client) => client.status() },
  observe: { words: [], ask: (client) => client.observe() },
  events: {
    words: [],
    ask(client, given) {
      const afterSeq = given.number('after', { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true });
      const limit = given.number('limit', { min: 1, max: 500, whole: true });
      return client.events({ ...(afterSeq !== undefined && { afterSeq }), ...(limit !== undefined && { limit }) });
    },
  },
  act: {
    words: ['TYPE', 'JSON?'],
    async ask(client, given) {
      const command = readCommand(given);
      return given.flag('wait') ? client.perform(command) : { accepted: true, commandSeq: await client.act(command) };
    },
  },
};

export const aicontrol: Command = {
  summary: 'speak to an AiControl endpoint, of this relay or another game',
  help: `aicc aicontrol ping|status|observe|events [options]
aicc aicontrol act TYPE [JSON] [--append] [--wait] [options]
Makes one request of the AiControl line protocol and prints the result as JSON.
For example: aicc aicontrol act say '{"stringArg":"Hello!"}' --wait

  --append           act: wait for the commands before it instead of taking the place of the running one
  --wait             act: wait until it is over, 240 s at most, and print what became of it; exit code 1 when it failed
  --after SEQ        events: only later ones
  --limit N          events: at most so many, 1 to 500, default 100
  --host HOST        default ${DEFAULT_HOST}
  --port PORT        default ${DEFAULT_PORTS.aicontrol}
  --timeout SECONDS  for the connection and each request, default ${DEFAULT_TIMEOUT_MS / 1000}
  --token-env NAME   the environment variable with the token, default ${TOKEN_ENV}
  --allow-remote     for a host that is not this machine: plaintext, use a tunnel
  --json             on one line, errors too`,
  options: {
    append: { type: 'boolean' },
    wait: { type: 'boolean' },
    after: { type: 'string' },
    limit: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    timeout: { type: 'string' },
    'token-env': { type: 'string' },
    'allow-remote': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(given, io) {
    const [name = ''] = given.words;
    const names = Object.keys(METHODS);
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) throw new UsageError(`say one of ${names.join(', ')}${name && `, not "${name}"`}`);
    given.expectWords(name, ...method.words);
    if (name === 'act') readCommand(given);
    const client = await open(given, io);
    const hangUp = () => client.close();
    io.interrupted.addEventListener('abort', hangUp, { once: true });
    try {
      const result = await method.ask(client, given);
      line(io.stdout, given.flag('json') ? JSON.stringify(result) : JSON.stringify(result, null, 2));
      return isFailure(result) ? 1 : 0;
    } catch (error) {
      if (error instanceof AiControlError) throw new Error(`${error.code}: ${error.message}`);
      throw error;
    } finally {
      io.interrupted.removeEventListener('abort', hangUp);
      client.close();
    }
  },
};

async function open(given: Given, io: Io): Promise<AiControlClient> {
  const host = given.text('host');
  const port = given.number('port', { min: 1, max: 65_535, whole: true }) ?? DEFAULT_PORTS.aicontrol;
  const token = tokenFrom(given.text('token-env'), io) ?? (io.env[TOKEN_ENV] || undefined);
  const timeoutMs = given.milliseconds('timeout', 86_400, 0.001) ?? DEFAULT_TIMEOUT_MS;
  try {
    return await connectAiControl({
      ...(host !== undefined && { host }),
      ...(token !== undefined && { token }),
      port,
      timeoutMs,
      allowRemote: given.flag('allow-remote'),
    });
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(`--host ${host} is not this machine and AiControl is plaintext: use a tunnel, or add --allow-remote`);
    if (error instanceof AiControlConnectionError && error.reason === 'unauthorized') {
      throw new Error('unauthorized: the token from the environment is not valid there');
    }
    throw error;
  }
}

/** @throws {UsageError} */
function readCommand(given: Given): AiControlCommand {
  const [, type = '', text = '{}'] = given.words;
  const fields = jsonArgument(text, 'the command', '{"targetId": "lantern_1"}');
  return { ...fields, ...(given.flag('append') && { append: true }), type };
}

function isFailure(result: unknown): boolean {
  return (result as { success?: unknown }).success === false;
}
