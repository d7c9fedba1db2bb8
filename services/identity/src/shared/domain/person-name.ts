import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';

export const maxPersonName = 60;

/**
 * A person's name, cleaned.
 *
 * @throws bad_field when nothing of it can be seen, it is too long, or it holds an address or a link
 */
export const readPersonName = (given: string): string => readShownName(given, maxPersonName);

/** The same for a name of at most so many characters. */
export function readShownName(given: string, maxLength: number): string {
  const name = cleanLine(given);
  if (name === '') throw badField('name', 'must hold at least one visible character');
  if (countCharacters(name) > maxLength) throw badField('name', `must have at most ${maxLength} characters`);
  if (leadsOut(name)) throw badField('name', 'must not hold an address or a link');
  return name;
}

/** Whether an address or a link is in a name. Names with a full stop (`Robin.ai`) are no links. */
export const leadsOut = (name: string): boolean => /@[\p{L}\p{N}]|:\/\//u.test(name);
