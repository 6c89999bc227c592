import { flawOf } from '../base/json-flaw.ts';
import { activation, offer, token, trust, verify } from '../protocol/generated/openclasp.js';
import { describeSchemaError, fitsMessage, LIMITS, type SchemaError } from '../protocol/index.ts';
import { CONTRACT_LIMITS } from './contract-limits.ts';
import type { Activation, Offer, TokenClaims, Verify } from './messages.ts';
import { Refusal } from './refused.ts';
import { parseStrict } from './strict-json.ts';

/** The registry of keys, as a file. */
interface TrustFile {
  keys: { agentId: string; keyId: string; publicKey: string; revoked?: boolean }[];
  platform?: { publicKey: string };
}

interface Shapes {
  offer: Offer;
  activation: Activation;
  verify: Verify;
  token: TokenClaims;
  trust: TrustFile;
}

const VALIDATORS = { activation, offer, token, trust, verify };

/**
 * Reads a message from its text.
 * @throws {Refusal} `schema`
 */
export function readShape<Name extends keyof Shapes>(name: Name, text: string): Shapes[Name] {
  const most = name === 'trust' ? CONTRACT_LIMITS.trustBytes : CONTRACT_LIMITS.messageBytes;
  if (!fitsMessage(text, most)) throw new Refusal('schema', `it is larger than ${most} bytes`);
  const parsed = parseStrict(text);
  if (!parsed.ok) throw new Refusal('schema', parsed.problem);
  return asShape(name, parsed.value);
}

/**
 * The same for what has been parsed already: names that stood twice in one object cannot be seen any more.
 * @throws {Refusal} `schema`
 */
export function asShape<Name extends keyof Shapes>(name: Name, value: unknown): Shapes[Name] {
  const flaw = flawOf(value, LIMITS.messageDepth, 'it');
  if (flaw !== undefined) throw new Refusal('schema', flaw);
  const validate = VALIDATORS[name];
  if (!validate(value)) throw new Refusal('schema', describe(validate.errors));
  return value as Shapes[Name];
}

/** What the wire's own words for schema errors do not know. */
function describe(errors: readonly SchemaError[] | null | undefined): string {
  const error = errors?.[0];
  if (error === undefined) return describeSchemaError(errors);
  const { instancePath: at, keyword, parentSchema } = error;
  if (keyword === 'maxLength') return `${at} must be at most ${parentSchema.maxLength} characters long`;
  if (keyword === 'minItems') return `${at} must have at least ${parentSchema.minItems} member`;
  if (keyword === 'maxItems') return `${at} must have at most ${parentSchema.maxItems} members`;
  if (keyword === 'pattern' && parentSchema.format === 'date-time') return `${at} must be a time in UTC like 2026-01-31T12:00:00Z`;
  return describeSchemaError(errors).replace('the message', 'it');
}
