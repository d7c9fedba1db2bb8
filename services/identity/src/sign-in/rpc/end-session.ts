import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { deleteSession } from '../../shared/db/sessions.ts';
import { endOtherSessions } from '../actions/end-others.ts';
import type { Context } from '../context.ts';
import { signedIn } from '../domain/signed-in.ts';

/**
 * Ends one session of the signed-in person, or all but the calling one. No fresh sign-in is needed, since it
 * grants no access.
 */
export const endSession =
  ({ commit }: Context): UnaryHandler<typeof SignInService.method.endSession> =>
  async ({ id }, { caller }) => {
    const person = signedIn(caller);
    const session = parseId('ses', id);
    if (session === null && id !== 'others') throw notFound();
    return await commit(async (tx) => {
      if (session === null) return { ended: await endOtherSessions(tx, person, caller) };
      if (!(await deleteSession(tx, session, person))) throw notFound();
      tx.signal('credentials', session);
      return { ended: 1 };
    });
  };
