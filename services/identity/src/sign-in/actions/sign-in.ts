import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Tx } from '@hearth/db';
import { notFound } from '@hearth/errors';
import type { SessionSchema } from '@hearth/proto/identity/v1/sign_in';
import { beginSession } from '../../shared/actions/begin-session.ts';
import { recordSignIn } from '../../shared/actions/metrics.ts';
import { lockPerson } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { listPasskeys } from '../db/passkeys.ts';
import { checkOldEnough } from '../domain/sign-in-rules.ts';

/**
 * A session for a person who has just proved who they are.
 *
 * @throws forbidden (guardian_needed) for a child who may not sign in by themselves
 */
export async function signIn(
  context: Context,
  tx: Tx,
  person: string,
  proof: 'email' | 'passkey',
): Promise<MessageInitShape<typeof SessionSchema>> {
  const { ages } = context;
  const row = await lockPerson(tx, person);
  if (row === null) throw notFound();
  checkOldEnough({ leastAge: ages.leastAgeOf(row), consentAge: ages.consentAge(row.locale) });
  const { token, endsAt } = await beginSession(context, tx, person, proof);
  const passkeys = await listPasskeys(tx, person);
  recordSignIn({ proof });
  return { token, endsAt: BigInt(endsAt.getTime()), hasPasskey: passkeys.length > 0 };
}
