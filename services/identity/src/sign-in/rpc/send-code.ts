import { fixed } from '@hearth/limits';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { readEmail } from '../../shared/domain/email.ts';
import { sendEmailCode } from '../actions/email-codes.ts';
import type { Context } from '../context.ts';

/** Sends a code to an address; the answer is the same whether or not an account uses it. */
export const sendCode =
  (context: Context): UnaryHandler<typeof SignInService.method.sendCode> =>
  async (request, call) => {
    const email = readEmail(request.email);
    const { browser, deviceToken } = request;
    await sendEmailCode(context, { email, purpose: 'sign_in', person: null, browser, deviceToken }, call);
    return { email, minutes: fixed.sign_in_code_minutes };
  };
