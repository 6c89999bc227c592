/** The families of rules: A to H of AICC, T of OpenClasp, W of AiControl. */
const FAMILY = '[A-HTW]';
const DEFINED = new RegExp(`^- (${FAMILY}\\d{1,2}) `, 'gm');
const CITED = new RegExp(`(?<![\\w#%])(${FAMILY})(\\d{1,2})(?:[–-]\\1(\\d{1,2}))?(?!\\w)`, 'g');

/** The ids of the rules that a page of docs/spec defines: each begins a list entry. */
export function definedIn(page: string): string[] {
  return [...page.matchAll(DEFINED)].map(([, id]) => id as string);
}

/** The ids that a text cites; a range like `D1–D4` cites all of its rules. */
export function citedIn(text: string): string[] {
  return [...text.matchAll(CITED)].flatMap(([, family, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, offset) => `${family}${Number(first) + offset}`),
  );
}
