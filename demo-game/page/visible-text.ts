/** Control characters, marks that turn the direction of writing, invisible letters, halves of pairs, line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Text from outside in which nothing is hidden: what could not be seen, or would turn the rest around, stands as its code. */
export function visibleText(text: string): string {
  return text.replace(unseen, (letter) => (letter === '\n' ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`));
}

/** The same, cut: what is left out is said. */
export function visibleStart(text: string, letters: number): string {
  const left = text.length - letters;
  return left <= 0 ? visibleText(text) : `${visibleText(text.slice(0, letters))} … and ${left} more letters that are not shown`;
}
