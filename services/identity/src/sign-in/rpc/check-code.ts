import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { findPersonByEmail } from '../../shared/db/person-emails.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { writeTicket } from '../actions/account-ticket.ts';
import { takeEmailCode } from '../actions/email-codes.ts';
import { signIn } from '../actions/sign-in.ts';
import type { SignInContext } from '../context.ts';

/** Signs in with the digits that were sent; to an address that nobody has used it gives a ticket for an account. */
export function checkCode(context: SignInContext): UnaryHandler<typeof SignInService.method.checkCode> {
  return async (request, call) => {
    const email = readEmail(request.email);
    await takeEmailCode(context, { email, purpose: 'sign_in', person: null }, request.code, call);
    const person = await findPersonByEmail(context.database.db, email);
    if (person === null) return { outcome: { case: 'accountTicket', value: writeTicket(context, email) } };
    return { outcome: { case: 'session', value: await signIn(context, person, 'email') } };
  };
}
