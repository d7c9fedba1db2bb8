import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { findPersonByEmail } from '../../shared/db/person-emails.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { writeTicket } from '../actions/account-ticket.ts';
import { takeEmailCode } from '../actions/email-codes.ts';
import { signIn } from '../actions/sign-in.ts';
import type { Context } from '../context.ts';

/** Signs in with the digits that were sent; for an address without an account it gives a ticket to make one. */
export const checkCode =
  (context: Context): UnaryHandler<typeof SignInService.method.checkCode> =>
  async (request, call) => {
    const { database } = context;
    const email = readEmail(request.email);
    await takeEmailCode(context, { email, purpose: 'sign_in', person: null }, request.code, call);
    const person = await findPersonByEmail(database.db, email);
    if (person === null) return { outcome: { case: 'accountTicket', value: writeTicket(context, email) } };
    const session = await database.transaction((tx) => signIn(context, tx, person, 'email'));
    return { outcome: { case: 'session', value: session } };
  };
