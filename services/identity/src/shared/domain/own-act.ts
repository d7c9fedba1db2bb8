import { forbidden, HearthError, personNeeded } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** How long after a sign-in the person's acts count as their own. */
export const freshMinutes = 10;

export function isFreshSignIn({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>, now: number): boolean {
  return authenticatedAt > 0n && now - Number(authenticatedAt) <= freshMinutes * 60_000;
}

/** The facts about a person that the rules about their AIs depend on. */
export interface Owner {
  /** uuid */
  id: string;
  minor: boolean;
  guest: boolean;
  /** Whether the guardian lets AIs act for them. */
  aiShare: boolean;
  /** uuids */
  guardians: readonly string[];
  /** uuid of the app that holds them. */
  app: string | null;
}

/**
 * uuid of the person whose own act this is: signed in on the home's pages, or through the app that holds
 * them.
 *
 * @throws bad_request if an app does not say who it acts for; forbidden (needs_person) for any other caller
 */
export function ownAct({ kind, id }: Pick<Caller, 'kind' | 'id'>): string {
  if (kind === CallerKind.PERSON) return id;
  if (kind === CallerKind.APP) {
    throw new HearthError(
      'bad_request',
      'say for whom you act: send the header Svc-Acting-For with the id of a person that you hold',
      { code: 'bad_field', field: 'Svc-Acting-For' },
    );
  }
  throw personNeeded('only a person can do this, by a sign-in of their own');
}

/**
 * @throws forbidden (needs_person) unless the person has just proved who they are, by a sign-in or by a tap
 * in their app
 */
export function requireFreshProof(
  caller: Pick<Caller, 'app' | 'kind' | 'authenticatedAt'>,
  now: number,
): void {
  if (caller.kind === CallerKind.PERSON && (caller.app !== '' || isFreshSignIn(caller, now))) return;
  throw personNeeded(
    'to let an AI approve for a person, the person must sign in again first, by email or passkey',
  );
}

/**
 * Checks that the caller may create AIs for the person: adults for themselves; for a minor, their guardian or
 * the app that holds them, if AIs may act for the child.
 *
 * @throws forbidden saying what is missing
 */
export function requireMayOwn(caller: Pick<Caller, 'app' | 'id'>, owner: Owner): void {
  requireSignIn(caller, owner, 'have AIs');
  if (owner.minor && owner.guardians.length === 0)
    throw guardianNeeded(
      'AIs act for a person under 18 when a guardian lets them, and this person has no guardian',
    );
  requireMaySettle(caller, owner);
  if (owner.minor && !owner.aiShare) {
    throw guardianNeeded('the guardian has not let AIs act for this child; they turn ai_share on first');
  }
}

/**
 * Checks that the caller may manage the person's AIs. As `requireMayOwn`, but also while AIs may not act.
 *
 * @throws forbidden for a child on their own
 */
export function requireMaySettle(
  caller: Pick<Caller, 'app' | 'id'>,
  { app, guardians, minor }: Pick<Owner, 'app' | 'guardians' | 'minor'>,
): void {
  if (!minor || guardians.includes(caller.id) || (app !== null && caller.app === app)) return;
  throw guardianNeeded("what the AIs of a person under 18 may do is their guardian's to settle");
}

export function guardianNeeded(words: string): HearthError {
  return forbidden(words, { code: 'guardian_needed' });
}

/**
 * Checks that the caller may make the person an AI's owner: adults for themselves, guardians for a child that
 * they let use AIs.
 *
 * @throws forbidden for a minor on their own, even through an app, and for a person without a sign-in
 */
export function requireMayClaim(caller: Pick<Caller, 'app' | 'id'>, owner: Owner): void {
  if (owner.minor && !owner.guardians.includes(caller.id)) {
    throw guardianNeeded(
      'people under 18 claim no AI: their parent or guardian claims it, with the child as `for`',
    );
  }
  requireMayOwn(caller, owner);
}

/** @throws forbidden if a minor, or a person without a sign-in, would vouch for an AI */
export function requireMayVouch(caller: Pick<Caller, 'app'>, owner: Pick<Owner, 'minor' | 'guest'>): void {
  if (owner.minor) throw guardianNeeded('people under 18 vouch for no AI; an adult can');
  requireSignIn(caller, owner, 'vouch for an AI');
}

/** A guest cannot be responsible for an AI, except through an app. */
function requireSignIn(caller: Pick<Caller, 'app'>, { guest }: Pick<Owner, 'guest'>, what: string): void {
  if (guest && caller.app === '') {
    throw forbidden(`a guest cannot ${what} yet: give the account an email address or a passkey first`, {
      rule: 'no_guests',
    });
  }
}
