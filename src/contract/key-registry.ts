import type { KeyObject } from 'node:crypto';
import { quoted } from '../base/quoted.ts';
import { readPublicKey } from './ed25519.ts';
import { Refusal } from './refused.ts';
import { readShape } from './shapes.ts';

export interface RegisteredKey {
  readonly agentId: string;
  readonly keyId: string;
  readonly revoked: boolean;
  /** Its text: a key id may come to mean another key. */
  readonly publicKey: string;
  readonly key: KeyObject;
}

/** Whose keys are whose (T2). A key is found by the agent it belongs to, never by its id alone. */
export class KeyRegistry {
  readonly #keys: readonly RegisteredKey[];
  /** The platform's, where it is known. */
  readonly platformKey: KeyObject | undefined;

  private constructor(keys: readonly RegisteredKey[], platformKey: KeyObject | undefined) {
    this.#keys = keys;
    this.platformKey = platformKey;
  }

  static readonly empty = new KeyRegistry([], undefined);

  /**
   * Reads `{"keys": [{"agentId", "keyId", "publicKey", "revoked"?}], "platform"?: {"publicKey"}}`.
   * @throws {TypeError} one sentence
   */
  static read(text: string): KeyRegistry {
    try {
      const { keys, platform } = readShape('trust', text);
      const registered = keys.map(({ publicKey, revoked = false, ...names }, index) => {
        if (keys.findIndex((other) => other.agentId === names.agentId && other.keyId === names.keyId) !== index)
          throw new TypeError(`${quoted(names.agentId)} has the key ${quoted(names.keyId)} twice`);
        // A key is its bytes: another name for a revoked one opens nothing.
        const isRevoked =
          revoked || keys.some((other) => other.agentId === names.agentId && other.publicKey === publicKey && other.revoked);
        return { ...names, publicKey, revoked: isRevoked, key: publicKeyAt(`/keys/${index}/publicKey`, publicKey) };
      });
      return new KeyRegistry(registered, platform && publicKeyAt('/platform/publicKey', platform.publicKey));
    } catch (error) {
      throw error instanceof Refusal ? new TypeError(error.message) : error;
    }
  }

  find(agentId: string, keyId: string): RegisteredKey | undefined {
    return this.#keys.find((each) => each.agentId === agentId && each.keyId === keyId);
  }

  /** Whether the agent had this key, and it counts no more. */
  isRevoked(agentId: string, publicKey: string): boolean {
    return this.#keys.some((each) => each.agentId === agentId && each.publicKey === publicKey && each.revoked);
  }

  /** Revoked ones too. */
  keysOf(agentId: string): readonly RegisteredKey[] {
    return this.#keys.filter((each) => each.agentId === agentId);
  }
}

function publicKeyAt(pointer: string, text: string): KeyObject {
  const key = readPublicKey(text);
  if (key === undefined) throw new TypeError(`${pointer} must be an Ed25519 public key: 44 bytes of SPKI DER in base64url without padding`);
  return key;
}
