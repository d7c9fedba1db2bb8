import { type Clock, minute } from '@hearth/clock';
import { badRequest, isHearthError } from '@hearth/errors';
import type { Sealer } from '@hearth/sealing';
import { ticketMinutes } from '../domain/sign-in-rules.ts';

const context = 'sign_in.account_ticket';
const longest = 1_000;

/** A stateless proof, valid for half an hour, that the caller controls an address. */
export function writeTicket(
  { sealer, clock }: { sealer: Pick<Sealer, 'seal'>; clock: Clock },
  email: string,
): string {
  const until = clock.now() + ticketMinutes * minute;
  return sealer.seal(Buffer.from(JSON.stringify({ email, until })), context).toString('base64url');
}

/** Returns the ticket's address. @throws bad_request if the ticket is not ours or has expired */
export function readTicket(
  { sealer, clock }: { sealer: Pick<Sealer, 'open'>; clock: Clock },
  ticket: string,
): string {
  try {
    if (ticket.length > longest) throw expired();
    const { email, until } = JSON.parse(sealer.open(Buffer.from(ticket, 'base64url'), context).toString());
    if (until > clock.now()) return email;
  } catch (error) {
    if (!isHearthError(error)) throw error;
  }
  throw expired();
}

function expired() {
  return badRequest('this took too long; sign in with your email address again', { code: 'not_waiting' });
}
