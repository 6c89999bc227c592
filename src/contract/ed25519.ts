import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

/** A public key as DER: this, then its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SPKI_BYTES = 44;
const SIGNATURE_BYTES = 64;

/** SHA-256 of a text's UTF-8, base64url without padding (T1). */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}

/** A public key from its text; undefined when it is none (T1: SPKI DER of Ed25519, base64url without padding). */
export function readPublicKey(text: string): KeyObject | undefined {
  const der = decode(text, SPKI_BYTES);
  if (der === undefined || !der.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX)) return undefined;
  if (isWeak(der.subarray(SPKI_PREFIX.length))) return undefined;
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The y coordinates of the points of small order, little-endian: under such a key anybody's signature can be made to fit. */
const SMALL_ORDER_Y = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];
/** 2^255 - 19, little-endian. A y from here on has another, right spelling. */
const FIELD_PRIME = Buffer.from('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'hex');

/** Whether a public key's 32 bytes are a point of small order, or the wrong spelling of a point. */
function isWeak(point: Buffer): boolean {
  const y = Buffer.from(point);
  // The last bit is the sign of x.
  y[31] = (y[31] as number) & 0x7f;
  if (Buffer.from(y).reverse().compare(Buffer.from(FIELD_PRIME).reverse()) >= 0) return true;
  return SMALL_ORDER_Y.includes(y.toString('hex'));
}

/** A private key from its text, PKCS#8 DER in base64url; undefined when it is none of Ed25519. */
export function readPrivateKey(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A fresh pair of keys as texts. */
export function newKeyPair(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  };
}

/** The public half of a private key, as text. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64url');
}

/** Signs a text's UTF-8. */
export function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64url');
}

/** Whether `signature` is the key's own for this text's UTF-8, or for these bytes. Never throws. */
export function isSignature(key: KeyObject, signed: string | Uint8Array, signature: string): boolean {
  const bytes = decode(signature, SIGNATURE_BYTES);
  if (bytes === undefined) return false;
  try {
    return verify(null, typeof signed === 'string' ? Buffer.from(signed, 'utf8') : signed, key, bytes);
  } catch {
    return false;
  }
}

/** Base64url without padding in its one right spelling: Node's own reader takes many. */
function decode(text: string, bytes: number): Buffer | undefined {
  const decoded = Buffer.from(text, 'base64url');
  return decoded.length === bytes && decoded.toString('base64url') === text ? decoded : undefined;
}
