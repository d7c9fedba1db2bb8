import { badField, personNeeded } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { freshMinutes, isFreshSignIn } from '../../shared/domain/own-act.ts';

const dayMs = 86_400_000;

/** The name of every deleted account. */
export const deletedName = 'deleted account';

/** @throws bad_field when `confirm` is not the handle, with or without its @ */
export function checkConfirm(confirm: string, handle: string): void {
  const given = confirm.trim().toLowerCase().replace(/^@/, '');
  if (given !== handle)
    throw badField('confirm', 'must be the handle of the account, to show that it is meant');
}

/**
 * On the home's own pages the person must just have signed in; an app knows whom it has before it. A guest has no
 * sign-in that could be repeated.
 *
 * @throws forbidden (needs_person) when the sign-in is too long ago
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

/** A deletion can be taken back until its time has come; then it is under way. */
export function canBeTakenBack(at: Date, now: Date): boolean {
  return at > now;
}

/** The guardian of a child once one of its guardians is gone; null when none is left. */
export function heir(guardians: readonly string[], gone: string): string | null {
  return guardians.find((guardian) => guardian !== gone) ?? null;
}
