import { parseEmail } from '@hearth/addresses';
import { badField } from '@hearth/errors';

/** An e-mail address as it is kept. @throws bad_field for what is none */
export function readEmail(given: string, field = 'email'): string {
  const email = parseEmail(given);
  if (email === null) throw badField(field, 'must be an e-mail address such as ada@example.com');
  return email;
}
