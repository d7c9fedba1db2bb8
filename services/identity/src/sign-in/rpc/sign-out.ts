import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { deleteSession } from '../../shared/db/sessions.ts';
import type { SignInContext } from '../context.ts';
import { signedIn } from '../domain/signed-in.ts';

/** Ends the calling session everywhere. Repeated, it answers the same. */
export function signOut({ bus, database }: SignInContext): UnaryHandler<typeof SignInService.method.signOut> {
  return async (_request, { caller }) => {
    const person = signedIn(caller);
    await database.statement((tx) => deleteSession(tx, caller.session, person));
    credentialsChanged(bus, caller.session);
    return {};
  };
}
