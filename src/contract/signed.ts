import type { KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import { isSignature, sha256, signText } from './ed25519.ts';
import type { Contract, Signature } from './messages.ts';

/** What is signed of an object: its canonical JSON without its own signatures (T2). */
export function signingPayload(object: object): string {
  const { signature: _one, signatures: _all, ...rest } = object as { signature?: unknown; signatures?: unknown };
  return canonicalJson(rest);
}

/** The hash that names a contract (T3); its signatures do not count. */
export function contractHash(contract: Contract): string {
  return sha256(canonicalJson({ ...contract, signatures: {} }));
}

/** Signs an object with somebody's key. */
export function signObject(object: object, keyId: string, key: KeyObject): Signature {
  return { algorithm: 'Ed25519', keyId, value: signText(key, signingPayload(object)) };
}

/** Whether the key made this signature for the object (T2). */
export function isSignedBy(key: KeyObject, object: object, { value }: Signature): boolean {
  return isSignature(key, signingPayload(object), value);
}
