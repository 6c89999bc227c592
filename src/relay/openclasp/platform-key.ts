import type { KeyObject } from 'node:crypto';
import { isSafeAddress, readPublicKey } from '../../contract/node.ts';
import { RelayError } from '../relay-error.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';

const WELL_KNOWN = '.well-known/openclasp-session-key';

/** The key that signs what the platform sends (T5): given, or fetched once from the platform. */
export class PlatformKey {
  readonly #given: KeyObject | undefined;
  readonly #url: URL | undefined;
  #fetched: Promise<KeyObject | undefined> | undefined;
  readonly #log: (sentence: string) => void;

  /** @throws {RelayError} `openclasp_options` */
  constructor({ key, url }: { key: string | undefined; url: string | undefined }, log: (sentence: string) => void) {
    this.#given = key === undefined ? undefined : readPublicKey(key);
    if (key !== undefined && this.#given === undefined)
      throw new RelayError('openclasp_options', "The platform's key must be an Ed25519 public key: SPKI DER in base64url without padding.");
    if (url !== undefined && !isSafeAddress(url))
      throw new RelayError('openclasp_options', `The platform's address ${url} must begin with https://.`);
    this.#url = url === undefined ? undefined : new URL(WELL_KNOWN, url.endsWith('/') ? url : `${url}/`);
    this.#log = log;
  }

  /** The key as far as it is known without asking the platform. */
  known(registered: KeyObject | undefined): KeyObject | undefined {
    return this.#given ?? registered;
  }

  /** The key; undefined while it is not known. One that could not be fetched is tried again at the next call. */
  async get(registered: KeyObject | undefined): Promise<KeyObject | undefined> {
    const known = this.known(registered);
    if (known !== undefined || this.#url === undefined) return known;
    this.#fetched ??= fetchKey(this.#url);
    try {
      return await this.#fetched;
    } catch (error) {
      this.#fetched = undefined;
      this.#log(`The platform's key cannot be fetched from ${this.#url.href}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

async function fetchKey(url: URL): Promise<KeyObject> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(OPENCLASP_LIMITS.fetchMs) });
  if (!response.ok) throw new Error(`it answers HTTP ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > OPENCLASP_LIMITS.keyBytes) throw new Error('the answer is too large');
  }
  const { publicKey } = JSON.parse(text) as { publicKey?: unknown };
  const key = typeof publicKey === 'string' ? readPublicKey(publicKey) : undefined;
  if (key === undefined) throw new Error('the answer has no Ed25519 publicKey');
  return key;
}
