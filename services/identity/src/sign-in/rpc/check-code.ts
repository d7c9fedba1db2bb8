import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { findPersonByEmail } from '../../shared/db/person-emails.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { writeTicket } from '../actions/account-ticket.ts';
import { takeEmailCode } from '../actions/email-codes.ts';
import { signIn } from '../actions/sign-in.ts';
import type { Context } from '../context.ts';

/** Signs in with a code; for an address without an account it returns a ticket to create one. */
export const checkCode =
  (context: Context): UnaryHandler<typeof SignInService.method.checkCode> =>
  async (request, call) => {
    const { commit, database } = context;
    const email = readEmail(request.email);
    const { browser, code, deviceToken } = request;
    const asked = { email, purpose: 'sign_in' as const, person: null, browser, deviceToken };
    await takeEmailCode(context, asked, code, call);
    const person = await findPersonByEmail(database.db, email);
    if (person === null) return { outcome: { case: 'accountTicket', value: writeTicket(context, email) } };
    const { session } = await commit((tx) =>
      signIn(context, tx, { person, proof: 'email', caller: call.caller }),
    );
    return { outcome: { case: 'session', value: session } };
  };
