/** What keeps a relay from starting, for a program. */
export type RelayErrorCode =
  | 'port_in_use'
  | 'cannot_listen'
  | 'tokens_needed'
  | 'bad_tokens_file'
  | 'bad_static_dir'
  | 'aicontrol_options'
  | 'bad_trust_file'
  | 'openclasp_options';

/** Says why a relay cannot start. `message` is one sentence for the person who started it. */
export class RelayError extends Error {
  /** The class, for logs. */
  override readonly name = 'RelayError';
  /** The reason, for a program. */
  readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
