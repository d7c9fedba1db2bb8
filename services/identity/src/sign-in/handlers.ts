import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { Handlers } from '@hearth/rpc';
import type { SignInContext } from './context.ts';
import { addPasskey } from './rpc/add-passkey.ts';
import { checkCode } from './rpc/check-code.ts';
import { createAccount } from './rpc/create-account.ts';
import { newPasskeyOptions } from './rpc/new-passkey-options.ts';
import { passkeyOptions } from './rpc/passkey-options.ts';
import { sendCode } from './rpc/send-code.ts';
import { signOut } from './rpc/sign-out.ts';
import { usePasskey } from './rpc/use-passkey.ts';

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
