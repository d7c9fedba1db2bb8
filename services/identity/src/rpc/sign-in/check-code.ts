import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { writeTicket } from '../../account-ticket.ts';
import { findPersonByEmail } from '../../db/person-emails.ts';
import { readEmail } from '../../domain/email.ts';
import { takeEmailCode } from '../../email-codes.ts';
import type { SignInContext } from '../../sign-in-context.ts';
import { signIn } from './sign-in.ts';

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
