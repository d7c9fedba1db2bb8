/** Join Persian letters and parts of emoji, and hide nothing. */
const joiners = '\u200c\u200d';

/**
 * Puts another author's text on one line, without control characters and without characters that change the text
 * direction.
 */
export function plain(text: string): string {
  return text
    .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, (character) => (joiners.includes(character) ? character : ''));
}

/** Quotes another author's text, so that it can't pass for ours; at most `most` characters. */
export function quoted(text: string, most = 4_000): string {
  const characters = [...plain(text)];
  return JSON.stringify(
    characters.length > most ? `${characters.slice(0, most).join('')}...` : characters.join(''),
  );
}

/** JSON without characters that a terminal would act on; its meaning is unchanged. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
