import { personNeeded } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';

/**
 * If the operator requires it, answers about people under 18 are given only on the home's own pages.
 *
 * @throws forbidden (needs_person) for an answer through an app
 */
export function requireOwnPage(
  { config: { childTaps, siteUrl } }: Pick<Context, 'config'>,
  joiner: PersonFacts,
  { app }: Caller,
): void {
  if (childTaps === 'any' || app === '' || !isMinor(joiner)) return;
  throw personNeeded(
    `this home takes answers about a child on its own pages alone; open ${siteUrl}/requests and answer there`,
  );
}
