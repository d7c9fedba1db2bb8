import { cleanLine as cleanAnyLine, cleanText } from '@hearth/addresses';

/*
 * Cleaning as @hearth/addresses does it, made safe and quick for what comes in with every request: text as
 * long as a body may be, and mostly plain ASCII.
 */

const printableAscii = /^[\x20-\x7e]*$/;
const printableAsciiLines = /^[\n\t\x20-\x7e]*$/;
const blank = /^\s*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const control = /[\u0000-\u001f\u007f-\u009f]/;

// To put n marks on one letter into their order takes n * n steps; UAX #15 calls text with at most 30
// stream-safe. Characters that cleaning removes count as marks, since the marks around them would come together.
const hanging = '[[\\p{M}\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cc}\\p{Cn}]--[\\t\\n\\r\\u0085]]';
const tooManyMarks = new RegExp(`(?<=${hanging}{30})${hanging}+`, 'gv');

/**
 * One line: NFC, white space of every kind as one space, invisible and control characters taken out, trimmed.
 */
export function cleanLine(text: string): string {
  if (!printableAscii.test(text)) return cleanAnyLine(text.replace(tooManyMarks, ''));
  return (text.includes('  ') ? text.replace(/ +/g, ' ') : text).trim();
}

/**
 * Several lines: NFC, line ends as \n, without invisible and control characters but tabs. The text is not trimmed;
 * text of white space alone counts as empty.
 */
export function cleanLines(text: string): string {
  const lines = printableAsciiLines.test(text) ? text : cleanText(text.replace(tooManyMarks, ''));
  return blank.test(lines) ? '' : lines;
}

export function hasControlCharacters(text: string): boolean {
  return control.test(text);
}
