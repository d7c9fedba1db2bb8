import { named, type Tx } from '@hearth/db';

export type ChallengePurpose = 'register' | 'sign_in';

export interface NewChallenge {
  /** base64url, as returned by the browser. */
  challenge: string;
  purpose: ChallengePurpose;
  /** The registering person; null for a sign-in. */
  person: string | null;
  expiresAt: Date;
}

export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<void> {
  await tx.execute(named('identity_insert_challenge')`
    insert into identity.passkey_challenges (challenge, purpose, person, expires_at)
    values (${challenge.challenge}, ${challenge.purpose}, ${challenge.person}, ${challenge.expiresAt})`);
}

/** Consumes a challenge; false if there is none of this kind, or it has expired. */
export async function takeChallenge(
  tx: Tx,
  { challenge, purpose, person }: Omit<NewChallenge, 'expiresAt'>,
  now: Date,
): Promise<boolean> {
  const taken = await tx.maybeOne<{ expiresAt: Date }>(named('identity_take_challenge')`
    delete from identity.passkey_challenges
    where challenge = ${challenge} and purpose = ${purpose} and person is not distinct from ${person}::uuid
    returning expires_at as "expiresAt"`);
  return taken !== null && taken.expiresAt > now;
}
