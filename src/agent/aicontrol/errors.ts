import type { Json } from '../../base/json.ts';
import type { Caused } from '../errors.ts';

/** The endpoint refused a request: −32602 invalid params, −32001 unauthorized, −32002 command queue full … */
export class AiControlError extends Error {
  /** The class, for logs. */
  override readonly name = 'AiControlError';
  /** The JSON-RPC error code. */
  readonly code: number;
  /** What the endpoint adds to the error. */
  readonly data: Json | undefined;

  /** Made by the client from the endpoint's answer. */
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * The connection is of no more use: `unreachable`, `closed`, `timeout`, `unauthorized` (a wrong token), or `bad_response` (what came is off the
 * protocol). Connect anew.
 */
export class AiControlConnectionError extends Error {
  /** The class, for logs. */
  override readonly name = 'AiControlConnectionError';
  /** Why the connection is lost. */
  readonly reason: 'unreachable' | 'closed' | 'timeout' | 'unauthorized' | 'bad_response';

  /** Made by the client. */
  constructor(reason: AiControlConnectionError['reason'], message: string, options?: Caused) {
    super(message, options);
    this.reason = reason;
  }
}
