import { badField, type HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';

/** The header with which an app names the person or AI that it acts for. */
export const actingForHeader = 'Svc-Acting-For';

/**
 * The id in the header, of a person (`per_...`) or an AI (`ai_...`); empty without the header.
 *
 * @throws bad_request for anything else, including several values, which Node joins with commas
 */
export function readActingFor(header: string | string[] | undefined): string {
  if (header === undefined) return '';
  const isId = typeof header === 'string' && (parseId('per', header) ?? parseId('ai', header)) !== null;
  if (!isId) throw malformed();
  return header;
}

function malformed(): HearthError {
  return badField(
    actingForHeader,
    'must be one id: of a person that your app holds (per_ and 32 hex digits), or of an AI of theirs (ai_ and 32 hex digits)',
  );
}
