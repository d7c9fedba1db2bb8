import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findWaitingInvites, type WaitingInvite } from '../db/items.ts';
import type { PersonWithGuardians } from '../domain/events.ts';
import { withGuardians } from './invite-machine.ts';

/** A pending invite and its recipient. */
export interface WaitingInvitation {
  invite: WaitingInvite;
  invited: PersonWithGuardians;
  /** uuid of the calling guardian, if they hold it for a person under 18. */
  guardian: string | null;
}

/** The invites among these (uuids) that wait for the caller or are held by them. */
export async function waitingInvitations(
  { clock, database, people }: Context,
  ids: readonly string[],
  caller: Caller,
): Promise<WaitingInvitation[]> {
  const person = personOf(caller);
  const wanted = ids.filter(isUuid);
  if (person === null || wanted.length === 0) return [];
  const viewer = { person, holder: caller.id };
  const rows = await findWaitingInvites(database.db, wanted, nowDate(clock), viewer);
  const known = await people.find(rows.map(({ to_person }) => to_person));
  const found = rows.map(async (invite): Promise<WaitingInvitation[]> => {
    const facts = known.get(invite.to_person);
    if (facts === undefined) return [];
    const guardian = facts.id === person ? null : person;
    // A former guardian has no say in it.
    if (guardian !== null && !facts.guardians.includes(caller.id)) return [];
    return [{ invite, invited: await withGuardians({ people }, facts), guardian }];
  });
  return (await Promise.all(found)).flat();
}

/** @throws not_found for an invite that neither waits for the caller nor is held by them */
export async function waitingInvitation(
  context: Context,
  id: string,
  caller: Caller,
): Promise<WaitingInvitation> {
  const [found] = await waitingInvitations(context, [id], caller);
  if (found === undefined) throw notFound();
  return found;
}
