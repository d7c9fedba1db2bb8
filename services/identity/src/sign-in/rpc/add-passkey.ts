import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { keepPasskey, takeNewPasskey } from '../actions/register-passkey.ts';
import type { Context } from '../context.ts';
import { freshlySignedIn } from '../domain/signed-in.ts';

/** Keeps a passkey for the person who is signed in. */
export const addPasskey =
  (context: Context): UnaryHandler<typeof SignInService.method.addPasskey> =>
  async ({ credential }, { caller }) => {
    const person = freshlySignedIn(caller, context.clock.now());
    const passkey = await takeNewPasskey(context, person, credential);
    await context.database.transaction((tx) => keepPasskey(context, tx, person, passkey));
    return {};
  };
