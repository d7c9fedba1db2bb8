import { personNeeded, unauthenticated } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { isFreshSignIn } from '../../shared/domain/own-act.ts';

/** uuid of the session's person. */
export function signedIn({ kind, id, session }: Caller): string {
  if (kind !== CallerKind.PERSON || session === '') throw unauthenticated('sign in first');
  return id;
}

/**
 * uuid of the session's person, for acts that a stranger at an open browser must not do.
 *
 * @throws forbidden (needs_person) if the sign-in is too old
 */
export function freshlySignedIn(caller: Caller, now: number): string {
  const person = signedIn(caller);
  if (isFreshSignIn(caller, now)) return person;
  throw personNeeded('sign in once more first: this changes how you sign in');
}
