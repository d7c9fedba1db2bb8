import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { Context } from '../context.ts';
import { takeChallenge } from '../db/passkey-challenges.ts';
import { insertPasskey, isPasskeyTaken, listPasskeys, type PasskeyRow } from '../db/passkeys.ts';
import { mostPasskeys } from '../domain/sign-in-rules.ts';
import { newChallenge, requireSite } from './challenges.ts';
import { notTaken } from './passkeys.ts';

export type NewPasskey = Omit<PasskeyRow, 'person'>;

/** PublicKeyCredentialCreationOptionsJSON for a person, as JSON text. */
export async function creationOptionsFor(context: Context, person: string): Promise<string> {
  requireSite(context);
  const facts = await context.people.find(person);
  if (facts === null) throw notFound();
  const present = await listPasskeys(context.database.db, person);
  requireRoom(present.length);
  const challenge = await newChallenge(context, 'register', person);
  const { handle, name } = facts;
  return await context.passkeys.creationOptions(challenge, { id: person, handle, name, present });
}

/**
 * Verifies the browser's new passkey and uses up the challenge.
 *
 * @throws bad_request if it is not for this person and home
 */
export async function takeNewPasskey(
  { clock, database, passkeys }: Context,
  person: string,
  credential: string,
): Promise<NewPasskey> {
  const answer = passkeys.read(credential);
  const asked = { challenge: answer.challenge, purpose: 'register' as const, person };
  if (!(await database.statement((tx) => takeChallenge(tx, asked, nowDate(clock))))) throw notTaken();
  return await passkeys.verifyNew(answer);
}

export async function keepPasskey(
  { clock, ids }: Pick<Context, 'clock' | 'ids'>,
  tx: Tx,
  person: string,
  passkey: NewPasskey,
): Promise<void> {
  requireRoom((await listPasskeys(tx, person)).length);
  try {
    await insertPasskey(tx, { ...passkey, person, key: ids.uuid() }, nowDate(clock));
  } catch (error) {
    if (isPasskeyTaken(error))
      throw badRequest('this passkey is in use already; sign in with it', { code: 'already_settled' });
    throw error;
  }
}

function requireRoom(present: number): void {
  if (present < mostPasskeys) return;
  throw badRequest(`an account has at most ${mostPasskeys} passkeys`, { code: 'cap_reached' });
}
