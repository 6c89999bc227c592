import { DEFAULT_HOST, DEFAULT_PORTS } from '../../protocol/default-addresses.ts';
import { type AiControlOptions, checkAiControl } from '../aicontrol/index.ts';
import { RelayError } from '../relay-error.ts';
import type { Given } from './command.ts';
import { type Io, UsageError } from './io.ts';
import { readOfferFile } from './offer-file.ts';

const MAX_PORT = 65_535;

/** What `aicc relay` takes to open an AiControl endpoint. */
export const AICONTROL_OPTIONS = {
  'aicontrol-port': { type: 'string' },
  'aicontrol-character': { type: 'string' },
  'aicontrol-world': { type: 'string' },
  'aicontrol-host': { type: 'string' },
  'aicontrol-token-env': { type: 'string' },
  'aicontrol-offer': { type: 'string' },
  'aicontrol-offer-token-env': { type: 'string' },
  'allow-remote': { type: 'boolean' },
} as const;

export const AICONTROL_HELP = `  --aicontrol-port PORT       also let AiControl clients in, usually at ${DEFAULT_PORTS.aicontrol}; 0: a free one
  --aicontrol-character ID    the character that they drive
  --aicontrol-world NAME      default: the only world that has the character
  --aicontrol-host ADDRESS    default ${DEFAULT_HOST}; any other needs --allow-remote and a token
  --aicontrol-token-env NAME  the environment variable with the token that they must know
  --aicontrol-offer FILE      the session offer that it drives under
  --aicontrol-offer-token-env NAME  the environment variable with the token for that offer
  --allow-remote              AiControl is plaintext: beyond this machine use a tunnel`;

/**
 * The endpoint that was asked for, checked (AiControl W14, W15); undefined: none.
 * @throws {UsageError} for what would do nothing or let strangers in
 */
export async function aiControlFrom(given: Given, io: Io): Promise<AiControlOptions | undefined> {
  const port = given.number('aicontrol-port', { min: 0, max: MAX_PORT, whole: true });
  if (port === undefined) {
    const idle = Object.keys(AICONTROL_OPTIONS).find((name) => name.startsWith('aicontrol-') && given.text(name) !== undefined);
    const name = idle ?? (given.flag('allow-remote') ? 'allow-remote' : undefined);
    if (name !== undefined) throw new UsageError(`--${name} says something about AiControl, which only --aicontrol-port switches on`);
    return undefined;
  }
  const options: AiControlOptions = {
    port,
    character: given.text('aicontrol-character') ?? '',
    world: given.text('aicontrol-world'),
    host: given.text('aicontrol-host'),
    token: tokenFrom(given.text('aicontrol-token-env'), io),
    allowRemote: given.flag('allow-remote'),
    offer: await offerFrom(given, io),
  };
  try {
    checkAiControl(options);
  } catch (error) {
    throw error instanceof RelayError ? new UsageError(error.message) : error;
  }
  return options;
}

/** @throws {UsageError} */
async function offerFrom(given: Given, io: Io): Promise<AiControlOptions['offer']> {
  const file = given.text('aicontrol-offer');
  const token = tokenFrom(given.text('aicontrol-offer-token-env'), io);
  if (file === undefined && token === undefined) return undefined;
  if (file === undefined) throw new UsageError('--aicontrol-offer-token-env is for an offer: name its file with --aicontrol-offer');
  if (token === undefined)
    throw new UsageError('--aicontrol-offer needs a token that proves who presents it: name its variable with --aicontrol-offer-token-env');
  return { sessionOffer: await readOfferFile(file), token };
}

/**
 * A token by the name of its environment variable.
 * @throws {UsageError} for a variable that holds none: whoever names it wants a token
 */
export function tokenFrom(name: string | undefined, io: Io): string | undefined {
  if (name === undefined) return undefined;
  const token = io.env[name];
  if (!token) throw new UsageError(`the environment variable that is to hold the token is ${token === '' ? 'empty' : 'not set'}`);
  return token;
}
