import type { MessageInitShape } from '@bufbuild/protobuf';
import { notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { SessionSchema } from '@hearth/proto/identity/v1/sign_in';
import type { Caller } from '@hearth/rpc';
import { beginSession, renewSession } from '../../shared/actions/begin-session.ts';
import { recordSignIn } from '../../shared/actions/metrics.ts';
import { lockPerson } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { listPasskeys } from '../db/passkeys.ts';
import { checkOldEnough } from '../domain/sign-in-rules.ts';
import { writeDevice } from './known-device.ts';

/**
 * Returns a session for a person who has just proved who they are; renews the calling session if it is
 * theirs.
 *
 * @throws forbidden (guardian_needed) for a child who may not sign in alone
 */
export async function signIn(
  context: Context,
  tx: UnitOfWork,
  { person, proof, caller }: { person: string; proof: 'email' | 'passkey'; caller: Caller },
): Promise<{ session: MessageInitShape<typeof SessionSchema>; email: string | null }> {
  const { ages } = context;
  const row = await lockPerson(tx, person);
  if (row === null) throw notFound();
  checkOldEnough({ leastAge: ages.leastAgeOf(row), consentAge: ages.consentAge(row.locale) });
  const own = caller.id === person && caller.session !== '' ? { id: caller.session, person } : null;
  const renewed = own && (await renewSession(context, tx, own, proof));
  if (renewed !== null) tx.signal('credentials', caller.session);
  const { token, endsAt } = renewed ?? (await beginSession(context, tx, person, proof));
  const passkeys = await listPasskeys(tx, person);
  recordSignIn({ proof });
  const hasPasskey = passkeys.length > 0;
  const session = {
    ...{ token, endsAt: BigInt(endsAt.getTime()), hasPasskey, renewed: renewed !== null },
    deviceToken: row.email === null ? '' : writeDevice(context, row.email),
  };
  return { session, email: row.email };
}
