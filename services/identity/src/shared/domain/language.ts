import { badField } from '@hearth/errors';
import { readTag } from '@hearth/i18n/tag';

/**
 * Reads a person's language in its canonical form; empty for none.
 *
 * @throws bad_field
 */
export function readLanguage(given: string): string {
  if (given === '') return '';
  const tag = readTag(given);
  if (tag === null) throw badField('language', 'must be a language tag (BCP 47), such as de or pt-BR');
  return tag;
}
