/*
 * What text from outside looks like once it is inside: NFC, without characters that nobody sees. Invisible and
 * direction-changing characters are taken out because they carry words past a human reader to an AI, and make one
 * name look like another. What a script or an emoji needs to be written rightly stays.
 */

/** Scripts whose spelling needs the joiners U+200C and U+200D. */
const joiningScripts = [
  'Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil',
  'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan',
].map((script) => `\\p{Script=${script}}`).join('');

const joined = `[[${joiningScripts}]--\\p{Default_Ignorable_Code_Point}]`;
const selectors = '\\u{FE00}-\\u{FE0F}\\u{E0100}-\\u{E01EF}';

const invisible = new RegExp(
  [
    `[\\p{Cc}--[\\t\\n]]`,
    `[\\p{Default_Ignorable_Code_Point}--[\\u200C\\u200D${selectors}]]`,
    `[\\uFFF9-\\uFFFB]`,
    // A joiner stays inside a word of a joining script, and U+200D between the parts of an emoji.
    `\\u200C(?!(?<=${joined}\\u200C)${joined})`,
    `\\u200D(?!(?<=${joined}\\u200D)${joined}|` +
      `(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D)\\p{Extended_Pictographic})`,
    // One variation selector may follow a visible character; a run of them hides data.
    `(?<=^|[\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB])[${selectors}]`,
  ].join('|'),
  'gv',
);

const anyLineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const printableAscii = /^[\x20-\x7e]*$/;
const printableAsciiLines = /^[\n\t\x20-\x7e]*$/;
const blank = /^\s*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** One line: NFC, line breaks and tabs become spaces, invisible and control characters are taken out, trimmed. */
export function cleanLine(text: string): string {
  if (printableAscii.test(text)) return text.trim();
  return text.replace(anyLineBreak, '\n').replace(invisible, '').replace(/[\n\t]/g, ' ').normalize('NFC').trim();
}

/**
 * Several lines: NFC, every kind of line break becomes \n, tabs stay, invisible and other control characters are
 * taken out. What is left is not trimmed, except that text of white space alone counts as empty.
 */
export function cleanLines(text: string): string {
  const clean = printableAsciiLines.test(text)
    ? text
    : text.replace(anyLineBreak, '\n').replace(invisible, '').normalize('NFC');
  return blank.test(clean) ? '' : clean;
}

export function hasControlCharacters(text: string): boolean {
  return control.test(text);
}

/** The length of `text` in Unicode code points, as limits on text count it. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    count += 1;
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index += 1;
    }
  }
  return count;
}
