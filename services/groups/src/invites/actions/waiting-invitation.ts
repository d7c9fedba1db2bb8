import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { InvitesContext } from '../context.ts';
import { findInvitation } from '../db/invitations.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import { type Joiner, withGuardians } from './change-invite.ts';

/** An invite that waits, and whom it was sent to. */
export interface WaitingInvitation {
  invite: InviteRow;
  invited: Joiner;
  /** uuid of the guardian who calls, where it waits with them in place of somebody under 18. */
  guardian: string | null;
}

/** @throws not_found for what does not wait for the caller, nor with them in place of their child */
export async function waitingInvitation(
  { clock, database, people }: InvitesContext,
  id: string,
  caller: Caller,
): Promise<WaitingInvitation> {
  const person = personOf(caller);
  if (person === null || !isUuid(id)) throw notFound();
  const viewer = { person, holders: [caller.id] };
  const [waiting, invite] = await Promise.all([
    findInvitation(database.db, viewer, nowDate(clock), id),
    findInvite(database.db, id),
  ]);
  const facts = waiting === null ? null : await people.findOne(waiting.to_person);
  if (invite === null || facts === null) throw notFound();
  const invited = await withGuardians({ people }, facts);
  if (facts.id === person) return { invite, invited, guardian: null };
  // Who does not guard them any more has no word about them.
  if (caller.kind !== callerKinds.PERSON || !facts.guardians.includes(person)) throw notFound();
  return { invite, invited, guardian: person };
}
