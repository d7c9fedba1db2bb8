import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { Handlers } from '@hearth/rpc';
import type { SignInContext } from '../../sign-in-context.ts';
import { addPasskey } from './add-passkey.ts';
import { checkCode } from './check-code.ts';
import { createAccount } from './create-account.ts';
import { newPasskeyOptions } from './new-passkey-options.ts';
import { passkeyOptions } from './passkey-options.ts';
import { sendCode } from './send-code.ts';
import { signOut } from './sign-out.ts';
import { usePasskey } from './use-passkey.ts';

export function signInHandlers(context: SignInContext): Handlers<typeof SignInService> {
  return {
    sendCode: sendCode(context),
    checkCode: checkCode(context),
    createAccount: createAccount(context),
    passkeyOptions: passkeyOptions(context),
    usePasskey: usePasskey(context),
    newPasskeyOptions: newPasskeyOptions(context),
    addPasskey: addPasskey(context),
    signOut: signOut(context),
  };
}
