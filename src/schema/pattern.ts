import type { Run } from './run.ts';

/**
 * A regular expression whose work is bounded before it runs. JavaScript backtracks: `^(a+)+$` is busy for ever with thirty letters, `\s+$` for seconds
 * with 100,000 blanks. So a repeated group that can match one text in several ways is refused, and the others cost `length ** degree` steps at most.
 */
export interface Pattern {
  /** May end the whole check: see `Run.spend`. */
  test(text: string, run: Run): boolean;
}

/** One character, a class of them or a group, with its quantifier. */
interface Part {
  /** As written. Of a group: undefined. */
  source?: string;
  /** Alternatives of a group, each a sequence. */
  alternatives: Part[][];
  least: number;
  most: number;
}

export const EXPRESSION =
  'a regular expression, as with the flag u, in which no repeated group matches one text in several ways, as in (a+)+';

/** What may repeat so often counts as something that has no end. */
const MANY = 10;
const TOKEN = /\((?:\?(?:<?[:=!]|<[^>]*>))?|\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u.{4}|\\x..|\\c.|\\k<[^>]*>|\\\d+|\\.|./gsu;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy;

/** @throws for what is no regular expression, or one that some texts keep busy for ever */
export function compilePattern(text: string): Pattern {
  const expression = new RegExp(text, 'u');
  const whole = parse(text);
  const samples = new Set([...text, ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)), '漢']);
  const matched = new Map<Part, Set<string>>();
  const charactersOf = (part: Part) => {
    const known = matched.get(part) ?? new Set([...samples].filter(matcherOf(part)));
    matched.set(part, known);
    return known;
  };
  const overlap = (one: Part, other: Part) => [...charactersOf(one)].some((each) => charactersOf(other).has(each));
  const parts = below(whole);
  const loops = parts.filter((part) => part.source === undefined && part.most > 1);
  if (loops.some((loop) => isAmbiguous(loop, overlap))) throw new TypeError(EXPRESSION);
  // How many of what has no end may compete for one character.
  const endless = [
    ...parts.filter(({ source, most }) => source !== undefined && most >= MANY).map((part) => [part]),
    ...loops.filter(({ most }) => most >= MANY).map((loop) => below(loop).filter(({ most }) => most < MANY)),
  ];
  const competing = [...samples].map((each) => endless.filter((group) => group.some((part) => charactersOf(part).has(each))).length);
  const isAnchored = whole.alternatives.every(([first]) => first?.source === '^');
  const degree = Math.max(...competing) + (isAnchored ? 0 : 1);
  return {
    test(value, run) {
      run.spend(value.length ** degree, ` is too long for the pattern ${text}`);
      return expression.test(value);
    },
  };
}

/** @param text a valid regular expression */
function parse(text: string): Part {
  const whole = { alternatives: [[]], least: 1, most: 1 } as Part;
  const open = [whole];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [source] = match;
    const { alternatives } = open[0] as Part;
    let part: Part | undefined = { alternatives: [], least: 1, most: 1 };
    if (source === '|') {
      alternatives.push([]);
      continue;
    }
    if (source.startsWith('(')) {
      part.alternatives.push([]);
      alternatives.at(-1)?.push(part);
      open.unshift(part);
      continue;
    }
    if (source === ')') part = open.shift() as Part;
    else {
      part.source = source;
      alternatives.at(-1)?.push(part);
    }
    QUANTIFIER.lastIndex = TOKEN.lastIndex;
    const quantifier = QUANTIFIER.exec(text);
    if (!quantifier) continue;
    TOKEN.lastIndex = QUANTIFIER.lastIndex;
    const [, sign, least = sign === '+' ? 1 : 0, comma = ',', most] = quantifier;
    part.least = Number(least);
    part.most = sign === '?' ? 1 : comma ? Number(most || Infinity) : part.least;
  }
  return whole;
}

function below({ alternatives }: Part): Part[] {
  return alternatives.flat().flatMap((part) => [part, ...below(part)]);
}

/** Whether a repeated group might split one text into its repetitions in more than one way. Says yes in doubt. */
function isAmbiguous(loop: Part, overlap: (one: Part, other: Part) => boolean): boolean {
  const { alternatives } = loop;
  const inside = below(loop);
  const isOnce = (part: Part | undefined): part is Part => part?.source !== undefined && part.least === 1 && part.most === 1;
  // A character that nothing else in there matches begins or ends each repetition: (-[a-z]+)*
  const [first = []] = alternatives;
  const isDelimited = [first[0], first.at(-1)].some(
    (edge) => isOnce(edge) && !inside.some((other) => other !== edge && overlap(edge, other)),
  );
  if (alternatives.length === 1 && isDelimited) return false;
  if (inside.some(({ alternatives, least, most }) => least !== most || alternatives.length > 1)) return true;
  // All of one length, and the first character tells which: (ab|cd)*
  const firsts = alternatives.map(([part]) => part);
  return (
    firsts.length > 1 &&
    firsts.some((one, at) => !isOnce(one) || firsts.slice(at + 1).some((other) => !isOnce(other) || overlap(one, other)))
  );
}

function matcherOf({ source }: Part): (character: string) => boolean {
  if (source === undefined || /^(?:[$^]|\\b)$/iu.test(source)) return () => false;
  // A back reference may stand for anything.
  if (/^\\(?:k<|[1-9])/u.test(source)) return () => true;
  const expression = new RegExp(`^(?:${source})$`, 'u');
  return (character) => expression.test(character);
}
