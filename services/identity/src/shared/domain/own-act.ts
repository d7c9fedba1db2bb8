import { forbidden, HearthError, personNeeded } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** For so long after a sign-in what the person does counts as their own act. */
export const freshMinutes = 10;

export function isFreshSignIn({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>, now: number): boolean {
  return authenticatedAt > 0n && now - Number(authenticatedAt) <= freshMinutes * 60_000;
}

/** A person as the rules about their AIs need them. */
export interface Owner {
  /** uuid */
  id: string;
  minor: boolean;
  guest: boolean;
  /** The guardian lets AIs act for them. */
  aiShare: boolean;
  /** uuids */
  guardians: readonly string[];
  /** uuid of the app that holds them. */
  app: string | null;
}

/**
 * uuid of the person whose own act this is: by a sign-in on the home's pages, or by the app that holds them.
 *
 * @throws bad_request for an app that does not say for whom; forbidden (needs_person) for everybody else
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

/** @throws forbidden (needs_person) when the person has not just proved who they are: by a sign-in, or their app's tap */
export function requireFreshProof(
  caller: Pick<Caller, 'app' | 'kind' | 'authenticatedAt'>,
  now: number,
): void {
  if (caller.kind === CallerKind.PERSON && (caller.app !== '' || isFreshSignIn(caller, now))) return;
  throw personNeeded(
    'to let an AI approve for a person, the person must sign in again first, by e-mail or passkey',
  );
}

/**
 * Whether the caller may make AIs of that person: themselves when grown up; for a minor their guardian or the
 * app that holds them, where AIs may act for the child.
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
 * Whether the caller may settle what AIs of that person are called and may do: as above, also while AIs may not act.
 *
 * @throws forbidden for a child by themselves
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
 * Whether the caller may make that person the owner of an AI: an adult themselves, a guardian the child whom they let use AIs.
 *
 * @throws forbidden for a minor by themselves, whoever acts for them, and for a person without a sign-in
 */
export function requireMayClaim(caller: Pick<Caller, 'app' | 'id'>, owner: Owner): void {
  if (owner.minor && !owner.guardians.includes(caller.id)) {
    throw guardianNeeded(
      'people under 18 claim no AI: their parent or guardian claims it, with the child as `for`',
    );
  }
  requireMayOwn(caller, owner);
}

/** @throws forbidden for a minor, or a person without a sign-in, who would vouch for an AI */
export function requireMayVouch(caller: Pick<Caller, 'app'>, owner: Pick<Owner, 'minor' | 'guest'>): void {
  if (owner.minor) throw guardianNeeded('people under 18 vouch for no AI; an adult can');
  requireSignIn(caller, owner, 'vouch for an AI');
}

/** A guest cannot answer for an AI yet, unless an app does for them. */
function requireSignIn(caller: Pick<Caller, 'app'>, { guest }: Pick<Owner, 'guest'>, what: string): void {
  if (guest && caller.app === '') {
    throw forbidden(`a guest cannot ${what} yet: give the account an e-mail address or a passkey first`);
  }
}
