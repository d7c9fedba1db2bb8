/** A token and its position. */
interface Placed {
  word: string;
  place: number;
  /** A single character of a script without spaces, which matches all pairs that begin with it. */
  alone?: true;
}

/** Longer words are cut, in texts and in queries. */
const longestWord = 100;
/** The limits of a Postgres tsvector. */
const mostPlaces = 255;
const lastPlace = 16_383;

/**
 * Scripts that do not separate words with spaces, or that inflect them with endings; they are searched by
 * pairs of characters.
 */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Folds compatibility forms, case and accents, so that spelling variants match. */
function folded(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKD');
  return plain.replaceAll(/[\u0300-\u036f]/g, '').normalize('NFC');
}

/**
 * The tokens of a text. In a script without spaces each character forms a pair with the next one; the last of
 * a run stands alone.
 */
function wordsOf(text: string): Placed[] {
  const words: Placed[] = [];
  let place = 0;
  for (const [run] of folded(text).matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    for (const part of partsOf(run)) {
      if (!unspaced.test(part)) {
        place += 1;
        words.push({ word: [...part].slice(0, longestWord).join(''), place });
        continue;
      }
      const characters = part.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
      for (const [index, character] of characters.entries()) {
        place += 1;
        const next = characters[index + 1];
        words.push(
          next === undefined ? { word: character, place, alone: true } : { word: character + next, place },
        );
      }
    }
    place += 1;
  }
  return words;
}

/** Splits a run where a script without spaces begins or ends: "iPhone手机". */
function partsOf(run: string): string[] {
  const parts: string[] = [];
  let before: boolean | undefined;
  for (const [character] of run.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const now = unspaced.test(character);
    if (now === before) parts[parts.length - 1] += character;
    else parts.push(character);
    before = now;
  }
  return parts;
}

/** tsvector text: the words of the texts and tags, and each tag with a # before it. */
export function toVector(texts: readonly string[], tags: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const { word, place } of wordsOf([...texts, ...tags].join(' \n '))) {
    const known = places.get(word) ?? [];
    if (known.length < mostPlaces) known.push(Math.min(place, lastPlace));
    places.set(word, known);
  }
  const words = [...places].map(([word, at]) => `'${word}':${at.join()}`);
  return [...words, ...tags.map((tag) => `'${tagWord(tag)}'`)].join(' ');
}

/** The token of a tag; no word of a text contains a #. */
export function tagWord(tag: string): string {
  return `#${tag}`;
}

/**
 * `tsquery` texts that must all match: words in any order, "quoted words" in sequence, and prefixes, marked
 * with a final `*`.
 */
export function toQueries(text: string): string[] {
  const pieces = [...text.matchAll(/["“”«»„]([^"“”«»„]*)["“”«»„]?|[^\s"“”«»„]+/gu)];
  return pieces.flatMap(([piece, quoted]) => pieceQuery(quoted ?? piece) ?? []);
}

/** Whether a query contains a prefix match. */
export const hasBeginning = (query: string): boolean => query.includes(':*');

function pieceQuery(piece: string): string | null {
  const found = wordsOf(piece);
  // The preceding pair contains the last character of a run.
  const words = found.filter(
    ({ alone, place }) => !alone || !found.some((placed) => placed.place === place - 1),
  );
  const begins = piece.trimEnd().endsWith('*');
  let query = '';
  for (const [index, { word, place, alone }] of words.entries()) {
    const before = words[index - 1];
    const last = index === words.length - 1;
    query += before === undefined ? '' : ` <${place - before.place}> `;
    query += `'${word}'${alone || (begins && last) ? ':*' : ''}`;
  }
  return query === '' ? null : `(${query})`;
}
