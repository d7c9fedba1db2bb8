import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findInvitation } from '../db/invitations.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import type { PersonWithGuardians } from '../domain/events.ts';
import { withGuardians } from './invite-machine.ts';

/** An invite that waits, and its recipient. */
export interface WaitingInvitation {
  invite: InviteRow;
  invited: PersonWithGuardians;
  /** uuid of the calling guardian, where it waits with them for a person under 18. */
  guardian: string | null;
}

/** @throws not_found for an invite that waits neither for the caller nor with them */
export async function waitingInvitation(
  { clock, database, people }: Context,
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
  // A former guardian has no say about it.
  if (caller.kind !== callerKinds.PERSON || !facts.guardians.includes(person)) throw notFound();
  return { invite, invited, guardian: person };
}
