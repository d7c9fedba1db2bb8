import { cleanLine as cleanAnyLine, cleanText } from '@hearth/addresses';

/**
 * Cleans as @hearth/addresses does, but safe and fast for untrusted text up to the size of a body, mostly plain ASCII.
 */

const printableAscii = /^[\x20-\x7e]*$/;
const printableAsciiLines = /^[\n\t\x20-\x7e]*$/;
const blank = /^\s*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const control = /[\u0000-\u001f\u007f-\u009f]/;

// Sorting n combining marks on one letter takes n * n steps; UAX #15 calls text with at most 30 stream-safe. Removed
// characters count as marks, because removing them joins the marks around them.
const hanging = '[[\\p{M}\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cc}\\p{Cn}]--[\\t\\n\\r\\u0085]]';
const tooManyMarks = new RegExp(`(?<=${hanging}{30})${hanging}+`, 'gv');

/** One line: NFC, all white space as single spaces, invisible and control characters removed, trimmed. */
export function cleanLine(text: string): string {
  if (!printableAscii.test(text)) return cleanAnyLine(text.replace(tooManyMarks, ''));
  return (text.includes('  ') ? text.replace(/ +/g, ' ') : text).trim();
}

/**
 * Several lines: NFC, line ends as \n, invisible and control characters except tabs removed. Not trimmed, but text of
 * only white space counts as empty.
 */
export function cleanLines(text: string): string {
  const lines = printableAsciiLines.test(text) ? text : cleanText(text.replace(tooManyMarks, ''));
  return blank.test(lines) ? '' : lines;
}

export function hasControlCharacters(text: string): boolean {
  return control.test(text);
}
