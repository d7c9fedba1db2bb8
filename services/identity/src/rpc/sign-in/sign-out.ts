import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { deleteSession } from '../../db/sessions.ts';
import { credentialsChanged } from '../../events/credentials.ts';
import type { SignInContext } from '../../sign-in-context.ts';
import { signedIn } from './signed-in.ts';

/** Ends the calling session everywhere. Repeated, it answers the same. */
export function signOut({ bus, database }: SignInContext): UnaryHandler<typeof SignInService.method.signOut> {
  return async (_request, { caller }) => {
    const person = signedIn(caller);
    await database.statement((tx) => deleteSession(tx, caller.session, person));
    credentialsChanged(bus, caller.session);
    return {};
  };
}
