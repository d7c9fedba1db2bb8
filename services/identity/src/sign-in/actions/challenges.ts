import { minute, nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import type { SignInContext } from '../context.ts';
import { type ChallengePurpose, insertChallenge } from '../db/passkey-challenges.ts';
import { challengeMinutes } from '../domain/sign-in-rules.ts';

const challengeBytes = 32;

/** Keeps a new challenge, and says it. @param person uuid of who registers; null for a sign-in */
export async function newChallenge(
  { clock, database, random }: SignInContext,
  purpose: ChallengePurpose,
  person: string | null,
): Promise<string> {
  const challenge = Buffer.from(random.bytes(challengeBytes)).toString('base64url');
  const expiresAt = new Date(nowDate(clock).getTime() + challengeMinutes * minute);
  await database.statement((tx) => insertChallenge(tx, { challenge, purpose, person, expiresAt }));
  return challenge;
}

export function requireSite({ passkeys }: Pick<SignInContext, 'passkeys'>): void {
  if (passkeys.site === null)
    throw badRequest('passkeys work where a home has a name, and not at an IP address');
}
