import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { newChallenge, requireSite } from '../actions/challenges.ts';
import type { Context } from '../context.ts';

/** Options for the browser to offer any passkey of this home; the device knows its person. */
export const passkeyOptions =
  (context: Context): UnaryHandler<typeof SignInService.method.passkeyOptions> =>
  async (_request, { caller }) => {
    requireSite(context);
    await context.limiter.consume('sign_in_tries_an_hour', caller.network, 'anyone');
    const challenge = await newChallenge(context, 'sign_in', null);
    return { options: await context.passkeys.requestOptions(challenge) };
  };
