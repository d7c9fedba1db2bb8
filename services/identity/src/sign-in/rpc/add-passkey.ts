import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { updateAuthenticated } from '../../shared/db/sessions.ts';
import { endOtherSessions } from '../actions/end-others.ts';
import { keepPasskey, takeNewPasskey } from '../actions/register-passkey.ts';
import type { Context } from '../context.ts';
import { freshlySignedIn } from '../domain/signed-in.ts';

/** Adds a passkey for the signed-in person, which counts as a sign-in; their other sessions end. */
export const addPasskey =
  (context: Context): UnaryHandler<typeof SignInService.method.addPasskey> =>
  async ({ credential }, { caller }) => {
    const person = freshlySignedIn(caller, context.clock.now());
    const passkey = await takeNewPasskey(context, person, credential);
    await context.commit(async (tx) => {
      const row = await lockPerson(tx, person);
      if (row === null) throw notFound();
      await keepPasskey(context, tx, person, passkey);
      await endOtherSessions(tx, person, caller);
      await updateAuthenticated(tx, caller.session, {
        authenticatedAt: nowDate(context.clock),
        proof: 'passkey',
      });
      tx.signal('credentials', caller.session);
      await tellByMail(context, tx, row, 'passkey_added');
    });
    return {};
  };
