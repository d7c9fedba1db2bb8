import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';

export const maxPersonName = 60;

/** A way out of the home in a name: an address or a link. */
const holdsAddress = /@[\p{L}\p{N}]|:\/\//u;

/**
 * A person's name, cleaned.
 *
 * @throws bad_field when nothing of it can be seen, it is too long, or it holds an address or a link
 */
export function readPersonName(given: string, field = 'name'): string {
  const name = cleanLine(given);
  if (name === '') throw badField(field, 'must hold at least one visible character');
  if (countCharacters(name) > maxPersonName)
    throw badField(field, `must have at most ${maxPersonName} characters`);
  if (holdsAddress.test(name)) throw badField(field, 'must not hold an address or a link');
  return name;
}
