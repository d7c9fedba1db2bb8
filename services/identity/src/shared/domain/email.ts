import { parseEmail } from '@hearth/addresses';
import { badField } from '@hearth/errors';

/** Reads an email address into its stored form. @throws bad_field if it is not one */
export function readEmail(given: string, field = 'email'): string {
  const email = parseEmail(given);
  if (email === null) throw badField(field, 'must be an email address such as ada@example.com');
  return email;
}
