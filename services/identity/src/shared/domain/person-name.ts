import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';

export const maxPersonName = 60;

/**
 * Cleans a person's name.
 *
 * @throws bad_field if it has no visible character, is too long, or contains an address or link
 */
export const readPersonName = (given: string): string => readShownName(given, maxPersonName);

/** `readPersonName` with a length limit of its own. */
export function readShownName(given: string, maxLength: number): string {
  const name = cleanLine(given);
  const range = { of: 'characters', least: 1, most: maxLength } as const;
  if (name === '') throw badField('name', 'must hold at least one visible character', { range });
  if (countCharacters(name) > maxLength)
    throw badField('name', `must have at most ${maxLength} characters`, { range });
  if (leadsOut(name)) throw badField('name', 'must not hold an address or a link', { rule: 'holds_link' });
  return name;
}

/** Whether a name contains an address or a link. Names with a full stop (`Robin.ai`) are not links. */
export const leadsOut = (name: string): boolean => /@[\p{L}\p{N}]|:\/\//u.test(name);
