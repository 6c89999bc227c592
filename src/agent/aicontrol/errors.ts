import type { Json } from '../../base/json.ts';
import type { Caused } from '../errors.ts';

/** The endpoint refused a request: −32602 invalid params, −32001 unauthorized, −32002 command queue full … */
export class AiControlError extends Error {
  override readonly name = 'AiControlError';
  readonly code: number;
  readonly data: Json | undefined;

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
  override readonly name = 'AiControlConnectionError';
  readonly reason: 'unreachable' | 'closed' | 'timeout' | 'unauthorized' | 'bad_response';

  constructor(reason: AiControlConnectionError['reason'], message: string, options?: Caused) {
    super(message, options);
    this.reason = reason;
  }
}
