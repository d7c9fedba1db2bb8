import { forbidden, personNeeded } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { isFreshSignIn } from '../../shared/domain/own-act.ts';
import { type ActingRole, requireStanding } from '../../shared/domain/standing.ts';

/** uuid of the calling app, whether it acts for itself or a person. */
export function callingApp({ app, kind }: Caller): string {
  if (app === '' || kind === CallerKind.AI) throw forbidden('only an app can do this, with its own key');
  return app;
}

/** uuid of the person who calls an account page of their own. */
export function callingPerson({ id, kind }: Caller): string {
  if (kind !== CallerKind.PERSON) throw forbidden('only a person can see this', { needsPerson: true });
  return id;
}

/** @throws forbidden for anyone else; for a child under 13 the guardian acts */
export function mayEndAccount(caller: Caller, facts: PersonFacts): ActingRole {
  const child = facts.ageBand === AgeBand.CHILD;
  return requireStanding(
    caller,
    facts,
    child ? ['guardian', 'holder'] : ['self', 'guardian', 'holder'],
    child
      ? 'only the guardian of a child, or the app that holds them, can delete the account or keep it'
      : 'only the person themselves, their guardian, or the app that holds them can delete the account or keep it',
  );
}

/**
 * @throws forbidden (needs_person) unless the person has just signed in themselves; an app, or a browser left
 * open, is not enough
 */
export function requireOwnFreshSignIn(caller: Pick<Caller, 'app' | 'authenticatedAt'>, now: number): void {
  if (caller.app === '' && isFreshSignIn(caller, now)) return;
  throw personNeeded('sign in again first: which app holds an account is settled only just after a sign-in');
}
