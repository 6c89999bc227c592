import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { flawOf } from '../../base/json-flaw.ts';
import { isWithinDepth } from '../../protocol/index.ts';
import { AICONTROL_LIMITS } from './aicontrol-limits.ts';
import { idText } from './raw-id.ts';

/** AiControl's six error codes. */
const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  unauthorized: -32001,
  queueFull: -32002,
} as const;

export type RpcCode = keyof typeof RPC_CODES;

/** Why a request has no result. `message` is one sentence that repeats nothing of the request's values. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcCode;

  constructor(code: RpcCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A request that may be handled, or why not. `id` is JSON text: what the answer repeats. */
export type Request = { id: string; method: string; params: JsonObject; error?: never } | { id: string; error: RpcError };

const NO_ID = 'null';

/** W3, W5: reads one line. Never throws. */
export function readRequest(line: string): Request {
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: NO_ID, error: new RpcError('parse', 'the line is not JSON') };
  }
  if (!isObject(value)) return invalid(NO_ID, 'a request must be a JSON object');
  if (!isWithinDepth(value, AICONTROL_LIMITS.depth)) {
    return invalid(NO_ID, `a request must nest at most ${AICONTROL_LIMITS.depth} objects and arrays deep`);
  }
  const { id, jsonrpc, method, params = {} } = value;
  if (id === undefined) return invalid(NO_ID, 'id is missing: it may be any JSON value');
  const echoed = idText(id, line);
  if (jsonrpc !== '2.0') return invalid(echoed, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') return invalid(echoed, 'method must be a string that is not empty');
  if (!isObject(params)) return invalid(echoed, 'params must be an object');
  const flaw = flawOf({ method, params }, AICONTROL_LIMITS.depth, 'a request');
  if (flaw !== undefined) return { id: echoed, error: new RpcError('invalidParams', flaw) };
  return { id: echoed, method, params };
}

/** W6. `result` is JSON text. */
export function resultLine(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** W6 */
export function errorLine(id: string, { code, message }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${RPC_CODES[code]},"message":${JSON.stringify(message)}}}`;
}

function invalid(id: string, message: string): Request {
  return { id, error: new RpcError('invalidRequest', message) };
}
