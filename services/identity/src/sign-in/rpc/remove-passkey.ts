import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { endOtherSessions } from '../actions/end-others.ts';
import type { Context } from '../context.ts';
import { deletePasskey, listPasskeys } from '../db/passkeys.ts';
import { freshlySignedIn } from '../domain/signed-in.ts';

/** Removes a passkey of the signed-in person, unless it is their last way to sign in. */
export const removePasskey =
  (context: Context): UnaryHandler<typeof SignInService.method.removePasskey> =>
  async ({ id }, { caller }) => {
    const { clock, commit } = context;
    const person = freshlySignedIn(caller, clock.now());
    const key = parseId('pky', id);
    await commit(async (tx) => {
      const row = await lockPerson(tx, person);
      const passkeys = row === null ? [] : await listPasskeys(tx, person);
      if (row === null || key === null || !passkeys.some((passkey) => passkey.key === key)) throw notFound();
      if (row.email === null && passkeys.length === 1) {
        throw badRequest('this is your last way to sign in: add another passkey or an email address first', {
          code: 'last_sign_in',
        });
      }
      await deletePasskey(tx, person, key);
      // It is not recorded which sessions the passkey opened.
      await endOtherSessions(tx, person, caller);
      await tellByMail(context, tx, row, 'passkey_removed');
    });
    return {};
  };
