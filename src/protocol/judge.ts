import { isObject, type JsonObject } from '../base/json.ts';
import { isUuid } from '../base/uuid.ts';
import { AiccError } from './errors.ts';
import { PROTOCOL } from './messages.ts';
import type { Parsed } from './parse.ts';
import { describeSchemaError, describeValue, type Validate } from './schema-error.ts';

/** Why a message was refused, and what follows from it. */
export interface Fault {
  /** Tells a fault from a valid message. */
  ok: false;
  /** What to answer with. */
  error: AiccError;
  /** The message's own id where it is a valid UUID: the answer repeats it (AICC A7). */
  messageId?: string;
  /** The connection closes after the answer (A4). */
  fatal: boolean;
  /** One of the faults that close a connection when there are too many (A3). */
  counted: boolean;
}

/** The validator of a message's `type`; undefined: there is no such type. */
export function validatorFor(kinds: Readonly<Record<string, Validate>>, type: unknown): Validate | undefined {
  return typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** Whether a value satisfies the schema of its type, which is one of these. */
export function isOneOf(kinds: Readonly<Record<string, Validate>>, value: unknown): boolean {
  return isObject(value) && (validatorFor(kinds, value.type)?.(value) ?? false);
}

/**
 * AICC A3 from the parsed text up to and including the schema: `undefined` when all is well. The session id (C1) is for who knows sessions.
 * @param kinds the types that may come from this side (A6), each with its validator
 * @param others types that only the other side sends
 */
export function judge(parsed: Parsed, kinds: Readonly<Record<string, Validate>>, others: readonly string[]): Fault | undefined {
  const { value } = parsed;
  const refuse = (problem: string): Fault => faultOf(new AiccError('invalid_input', problem), value, true);
  if (!parsed.ok) return refuse(parsed.problem);
  const { protocol, type } = parsed.value;
  if (protocol === undefined) return refuse(`/protocol is missing: it must be "${PROTOCOL}"`);
  if (protocol !== PROTOCOL) {
    const problem = `/protocol must be "${PROTOCOL}", got ${describeValue(protocol)}`;
    return { ...faultOf(new AiccError('protocol_mismatch', problem), value, false), fatal: true };
  }
  const validate = validatorFor(kinds, type);
  if (validate === undefined) {
    const allowed = `one of ${Object.keys(kinds).join(', ')}`;
    if (type === undefined) return refuse(`/type is missing: it must be ${allowed}`);
    const wrongWay = others.includes(type as string) ? ', which only travels the other way' : '';
    return refuse(`/type must be ${allowed}, got ${describeValue(type)}${wrongWay}`);
  }
  return validate(parsed.value) ? undefined : refuse(describeSchemaError(validate.errors));
}

function faultOf(error: AiccError, value: JsonObject | undefined, counted: boolean): Fault {
  const id = value?.message_id;
  return { ok: false, error, ...(isUuid(id) ? { messageId: id } : undefined), fatal: false, counted };
}
