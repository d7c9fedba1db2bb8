import { badField, personNeeded } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { freshMinutes, isFreshSignIn } from '../../shared/domain/own-act.ts';

const dayMs = 86_400_000;

/** The name of all deleted accounts. */
export const deletedName = 'deleted account';

/** @throws bad_field unless `confirm` is the handle, with or without @ */
export function checkConfirm(confirm: string, handle: string): void {
  const given = confirm.trim().toLowerCase().replace(/^@/, '');
  if (given !== handle)
    throw badField('confirm', 'must be the handle of the account, to show that it is meant');
}

/**
 * On the home's own pages the person must have just signed in; an app identifies its user itself. A guest has
 * no sign-in to repeat.
 *
 * @throws forbidden (needs_person) if the sign-in is too old
 */
export function requireFreshSignIn(
  caller: Pick<Caller, 'kind' | 'app' | 'guest' | 'authenticatedAt'>,
  now: number,
): void {
  const { kind, app, guest } = caller;
  if (app !== '' || (kind === CallerKind.PERSON && guest) || isFreshSignIn(caller, now)) return;
  throw personNeeded(
    `sign in again first: an account is deleted only within ${freshMinutes} minutes of a sign-in`,
  );
}

export function deletesAt(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

/** A deletion can be undone until its time; then it is under way. */
export function canBeTakenBack(at: Date, now: Date): boolean {
  return at > now;
}

/** The guardian of a child after one of its guardians is gone; null if there is none. */
export function heir(guardians: readonly string[], gone: string): string | null {
  return guardians.find((guardian) => guardian !== gone) ?? null;
}
