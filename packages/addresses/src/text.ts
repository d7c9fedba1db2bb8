/**
 * Invisible characters: controls other than tab and line feed, bidirectional overrides and isolates, zero-width marks,
 * invisible operators, Hangul fillers, interlinear marks, tag characters, variation selectors beyond the two for emoji,
 * and noncharacters. They hide words from people that an AI would still read, and make two names look alike.
 */
const invisible = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0' +
    '\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\p{Noncharacter_Code_Point}]',
  'gu',
);

/** Selecting emoji or text presentation only makes sense after a pictograph or in a keycap. */
const idleSelector = /(?<!\p{Extended_Pictographic}|[0-9#*](?=.\u20e3))[\ufe0e\ufe0f]/gu;

/**
 * Joiners are part of the spelling in Arabic and Indic scripts, and build emoji; elsewhere, or more than one in a row,
 * they only hide.
 */
const joiner = /[\u200c\u200d]/gu;
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
];
const joiningLetter = new RegExp(`[${joiningScripts.map((script) => `\\p{scx=${script}}`).join('')}]$`, 'u');
const emojiPart = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const emojiStart = /^\p{Extended_Pictographic}/u;

/**
 * Marks beyond a letter's thirtieth: more than any script needs (UAX #15 calls text without them stream-safe), and
 * sorting n marks takes n * n steps.
 */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Cleans text of several lines as every field stores it: NFC, line ends as `\n`, without invisible characters, lone
 * surrogates and excess marks. Keeps spaces. Idempotent.
 */
export function cleanText(text: string): string {
  let clean = text;
  // Removing one character can join two others; more than one round is rarely needed.
  for (let round = 0; round < 8; round += 1) {
    const next = cleanOnce(clean);
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

function cleanOnce(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(invisible, '')
    .replace(joiner, (mark, offset: number, whole: string) => (isAtWork(mark, offset, whole) ? mark : ''))
    .replace(idleSelector, '')
    .replace(excessMarks, '$1')
    .normalize('NFC');
}

function isAtWork(mark: string, offset: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, offset - 2), offset);
  const after = whole.slice(offset + 1, offset + 3);
  if (joiningLetter.test(before)) return /^[\p{L}\p{M}]/u.test(after);
  return mark === '\u200d' && emojiPart.test(before) && emojiStart.test(after);
}

/** Cleans text of one line: cleanText with each run of white space as one space, and trimmed. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim();
}

/** The length of `text` as limits count it: in Unicode code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index += 1;
    }
    count += 1;
  }
  return count;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Text of others, changed so that mail programs make no links of it, and at most `max` code points. */
export function withoutLinks(words: string, max: number): string {
  const text = words.replace(/[:/\\@]|\.(?=\S)/gu, ' ').replace(/\s+/gu, ' ');
  return shorten(text.trim(), max);
}

/** Quotes text of others in a mail. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Cuts `text` to `max` code points with `…` as the last, never within a grapheme. */
export function shorten(text: string, max: number): string {
  if (text.length <= max || countCharacters(text) <= max) return text;
  let kept = '';
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    count += countCharacters(segment);
    if (count > max - 1) break;
    kept += segment;
  }
  return max > 0 ? `${kept.trimEnd()}…` : '';
}
