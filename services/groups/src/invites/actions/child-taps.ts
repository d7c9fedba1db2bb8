import { forbidden } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';

/**
 * Where the operator wants it, the word about somebody under 18 is given on the home's own pages alone.
 *
 * @throws forbidden (needs_person) for what an app says for who answers
 */
export function requireOwnPage(
  { childTaps, siteUrl }: Pick<InvitesContext, 'childTaps' | 'siteUrl'>,
  joiner: PersonFacts,
  { app }: Caller,
): void {
  if (childTaps === 'any' || app === '' || !isMinor(joiner)) return;
  throw forbidden(
    `this home takes answers about a child on its own pages alone; open ${siteUrl}/requests and answer there`,
    { code: 'needs_person', needsPerson: true },
  );
}
