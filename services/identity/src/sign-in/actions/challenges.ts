import { minute, nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import type { Context } from '../context.ts';
import { type ChallengePurpose, insertChallenge } from '../db/passkey-challenges.ts';
import { challengeMinutes } from '../domain/sign-in-rules.ts';

const challengeBytes = 32;

/** Stores and returns a new challenge. @param person uuid of the person who registers; null for a sign-in */
export async function newChallenge(
  { clock, database, random }: Context,
  purpose: ChallengePurpose,
  person: string | null,
): Promise<string> {
  const challenge = Buffer.from(random.bytes(challengeBytes)).toString('base64url');
  const expiresAt = new Date(nowDate(clock).getTime() + challengeMinutes * minute);
  await database.statement((tx) => insertChallenge(tx, { challenge, purpose, person, expiresAt }));
  return challenge;
}

export function requireSite({ passkeys }: Pick<Context, 'passkeys'>): void {
  if (passkeys.site === null)
    throw badRequest('passkeys work where a home has a name, and not at an IP address', {
      code: 'bad_field',
    });
}
