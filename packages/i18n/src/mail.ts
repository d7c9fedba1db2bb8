import type { Language } from './language.ts';
import type { Text } from './text.ts';

/** The lines of a paragraph, or all of it as one text. */
export type Paragraph = Text | string | readonly (Text | string)[];

/** Words an email of plain text, with an empty line between paragraphs. */
export function wordMail(
  language: Language,
  subject: Text | string,
  paragraphs: readonly Paragraph[],
): { subject: string; text: string } {
  const text = paragraphs
    .map((lines) =>
      [lines]
        .flat()
        .map((line) => language.words(line))
        .join('\n'),
    )
    .join('\n\n');
  return { subject: language.words(subject), text };
}
