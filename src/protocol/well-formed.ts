const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text with U+FFFD in place of every lone surrogate, which JSON would escape and most readers refuse. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}
