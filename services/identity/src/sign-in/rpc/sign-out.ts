import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { deleteSession } from '../../shared/db/sessions.ts';
import type { Context } from '../context.ts';
import { signedIn } from '../domain/signed-in.ts';

/** Ends the calling session everywhere. Idempotent. */
export const signOut =
  ({ commit }: Context): UnaryHandler<typeof SignInService.method.signOut> =>
  async (_request, { caller }) => {
    const person = signedIn(caller);
    await commit(async (tx) => {
      await deleteSession(tx, caller.session, person);
      tx.signal('credentials', caller.session);
    });
    return {};
  };
