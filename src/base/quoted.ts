/** What a terminal, or the eye, may take for something else: control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes what JSON leaves as it is and a log must not carry. For JSON text, where it stands in strings alone. */
export function visible(json: string): string {
  return json.replace(UNSEEN, (each) => [...Array(each.length).keys()].map((at) => escaped(each.charCodeAt(at))).join(''));
}

/** Somebody else's words for a sentence of ours: cut, quoted, and without anything that could end the sentence or a line of a log. */
export function quoted(text: string, most = 80): string {
  return visible(JSON.stringify(text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text));
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
