/** Joins letters of Persian and parts of emoji, and hides nothing. */
const joiners = '\u200c\u200d';

/**
 * A text by another author, on one line and without what a terminal would act on or what would turn the
 * direction of the words around it.
 */
export function plain(text: string): string {
  return text
    .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, (character) => (joiners.includes(character) ? character : ''));
}

/** The same between quotation marks, so that nothing in it passes for words of ours. At most `most` characters of it. */
export function quoted(text: string, most = 4_000): string {
  const characters = [...plain(text)];
  return JSON.stringify(
    characters.length > most ? `${characters.slice(0, most).join('')}...` : characters.join(''),
  );
}

/** JSON for programs, in which a terminal finds nothing to act on either. The meaning is unchanged. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
