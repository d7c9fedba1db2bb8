import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { creationOptionsFor } from '../actions/register-passkey.ts';
import type { Context } from '../context.ts';
import { freshlySignedIn } from '../domain/signed-in.ts';

/** Options for the signed-in person's browser to create a passkey. */
export const newPasskeyOptions =
  (context: Context): UnaryHandler<typeof SignInService.method.newPasskeyOptions> =>
  async (_request, { caller }) => {
    const person = freshlySignedIn(caller, context.clock.now());
    return { options: await creationOptionsFor(context, person) };
  };
