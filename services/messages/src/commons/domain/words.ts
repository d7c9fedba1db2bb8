/** A word, where it stands among the others. */
interface Placed {
  word: string;
  place: number;
  /** A character alone of a script without spaces, which stands for all pairs that begin with it. */
  alone?: true;
}

/** Longer ones are cut, in texts as in questions. */
const longestWord = 100;
/** Postgres keeps no more. */
const mostPlaces = 255;
const lastPlace = 16_383;

/** Scripts that put no space between words, or endings on them: they are found by pairs of characters. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Compatible forms, case and accents aside, so that a reader finds a word however it is written. */
function folded(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKD');
  return plain.replaceAll(/[\u0300-\u036f]/g, '').normalize('NFC');
}

/** The words of a text. Characters of a script without spaces give a pair with the next one, and the last of a run itself. */
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

/** A run apart where a script without spaces begins or ends: "iPhone手机". */
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

/** The text of a tsvector: the words of these texts, and each tag behind a #. */
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

/** The word by which a tag is found; no word of a text has a #. */
export function tagWord(tag: string): string {
  return `#${tag}`;
}

/**
 * Texts of tsqueries, all of which a post must answer: whole words in any order, "words in quotes" one after the other, the beginning
 * of a word with a * behind it.
 */
export function toQueries(text: string): string[] {
  const pieces = [...text.matchAll(/["“”«»„]([^"“”«»„]*)["“”«»„]?|[^\s"“”«»„]+/gu)];
  return pieces.flatMap(([piece, quoted]) => pieceQuery(quoted ?? piece) ?? []);
}

/** Whether a query asks for the beginning of a word. */
export const hasBeginning = (query: string): boolean => query.includes(':*');

function pieceQuery(piece: string): string | null {
  const found = wordsOf(piece);
  // The last character of a run is in the pair before it.
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
