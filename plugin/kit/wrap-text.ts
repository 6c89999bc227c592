/** Letters as a reader sees them: an emoji of several code points is one. */
const letters: (text: string) => string[] =
  typeof Intl === 'object' && 'Segmenter' in Intl
    ? (text) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    : (text) => Array.from(text);

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Breaks a text into lines of at most `width`: between words, and inside a word that is wider than a line, as words without spaces are (Chinese,
 * Japanese, a long name). Line breaks of the text's own are spaces.
 */
export function wrapText(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (more: string) => widthOf(line + more) <= width;
  const next = (begin: string) => {
    if (line !== '') lines.push(line);
    line = begin;
  };
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const spaced = line === '' ? word : ` ${word}`;
    if (fits(spaced)) line += spaced;
    else if (widthOf(word) <= width) next(word);
    else {
      // It fills what is left of this line.
      let space = line === '' ? '' : ' ';
      for (const letter of letters(word)) {
        if (fits(space + letter)) line += space + letter;
        else next(letter);
        space = '';
      }
    }
  }
  next('');
  // A canvas draws from left to right unless the text says otherwise: an isolate, so that punctuation comes to its right place.
  return RIGHT_TO_LEFT.test(text) ? lines.map((each) => `\u2067${each}\u2069`) : lines;
}
