/** How to start what nobody has started. */
export const START_RELAY = 'start a relay with `npx phaser-aicc relay`';

/**
 * What a socket's error says, and what helps. Where a name has several addresses, Node gathers their errors into one without words of its own.
 * @param hint what to do when nobody listens there
 */
export function socketFailure(error: Error & { code?: unknown; errors?: Error[] }, hint: string = START_RELAY): string {
  const said = error.message || error.errors?.map(({ message }) => message).join('; ') || String(error.code ?? error.name);
  return error.code === 'ECONNREFUSED' ? `${said}: nobody listens there; ${hint}` : said;
}
