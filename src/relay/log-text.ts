import { CLOSE_CODES } from '../protocol/index.ts';
import type { ChannelEnd } from '../transport/index.ts';

/** What a terminal may take for something else: control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Characters of a name that a line of the log shows. */
const SHOWN = 80;

/** A name or a reason that somebody else chose, for a line of the log. */
export const named = (text: string): string => text.slice(0, SHOWN).replace(UNSEEN, '�');

/** `1 session`, `2 sessions`, `no characters`. */
export const counted = (count: number, noun: string): string => `${count || 'no'} ${noun}${count === 1 ? '' : 's'}`;

/** Why a connection ended, for a person. */
export function whyEnded({ code, reason }: ChannelEnd): string {
  const said = reason === '' ? '' : `: ${named(reason)}`;
  if (code === CLOSE_CODES.normal) return `the session ended${said}`;
  if (code === CLOSE_CODES.abnormal) return `the connection was lost${said}`;
  return `closed with ${code}${said}`;
}
