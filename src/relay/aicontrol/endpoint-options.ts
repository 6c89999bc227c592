import { DEFAULT_HOST } from '../../protocol/default-addresses.ts';
import { isLoopback } from '../addresses.ts';
import { RelayError } from '../relay-error.ts';

/** An AiControl endpoint of a relay: one character for clients of that line protocol. Plaintext: beyond this machine use a tunnel (W16). */
export interface AiControlOptions {
  /** The character that it drives. */
  character: string;
  /** Default: the only world that has it. */
  world?: string | undefined;
  /** Default 43011; 0 for a free one. */
  port?: number | undefined;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** What a client must know. Default: nothing. Take it from the environment, never from a command line (W15). */
  token?: string | undefined;
  /** Allows a host beyond this machine, together with a token. Default false. */
  allowRemote?: boolean | undefined;
  /** A session offer to drive under, and the token that proves who presents it (OpenClasp T6). */
  offer?:
    | {
        /** The offer as it was signed. */
        sessionOffer: object;
        /** The presenter's token (OpenClasp T8). */
        token: string;
      }
    | undefined;
  /** Commands that may wait. Default 64. */
  maxQueuedCommands?: number | undefined;
  /** Events that are kept. Default 512. */
  maxEvents?: number | undefined;
}

/**
 * W14: refuses what would let strangers in, before anything listens.
 * @throws {RelayError} `aicontrol_options`: one sentence
 */
export function checkAiControl({
  allowRemote,
  character,
  host = DEFAULT_HOST,
  maxEvents,
  maxQueuedCommands,
  token,
}: AiControlOptions): void {
  const refuse = (sentence: string) => {
    throw new RelayError('aicontrol_options', sentence);
  };
  if (character === '') refuse('AiControl drives one character: name it with --aicontrol-character.');
  if (!isLoopback(host) && !allowRemote)
    refuse(
      `AiControl on ${host} would let other machines in: listen on ${DEFAULT_HOST}, or add --allow-remote and a token (--aicontrol-token-env).`,
    );
  if (!isLoopback(host) && !token)
    refuse(`AiControl on ${host} needs a token that is not empty: name an environment variable that has one with --aicontrol-token-env.`);
  for (const [name, value] of Object.entries({ maxEvents, maxQueuedCommands })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      refuse(`AiControl's ${name} must be a whole number of at least 1.`);
  }
}
