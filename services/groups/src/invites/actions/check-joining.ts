import type { Db } from '@hearth/db';
import { findGroups, type GroupRow } from '../../groups/module.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import type { Joiner } from '../../shared/domain/fits.ts';
import type { InviteRow } from '../db/invites.ts';
import { countWaiting } from '../db/join-requests.ts';
import { useOf } from '../domain/invite-state.ts';
import { bandRefusal, useRefusal } from '../domain/invite-terms.ts';
import { type ApproversNeeded, approversNeeded } from '../domain/join-terms.ts';

/**
 * Returns the approvals that a person needs to join by an invite.
 *
 * @param invite its current state
 * @throws bad_request if the invite cannot be used any longer, or not at that age
 */
export async function checkJoining(
  db: Db,
  group: GroupRow,
  invite: InviteRow,
  joiner: Joiner,
): Promise<ApproversNeeded> {
  const refusal =
    useRefusal(useOf(invite, await countWaiting(db, invite.id))) ??
    bandRefusal(invite.for_ages.map(ageBandOf), joiner.ageBand);
  if (refusal !== null) throw refusal;
  const [found] = await findGroups(db, [group.id], []);
  return approversNeeded(group, joiner, found?.has_minors ?? false);
}
