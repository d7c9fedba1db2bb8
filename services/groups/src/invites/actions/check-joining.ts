import type { Db } from '@hearth/db';
import type { GroupRow } from '../../groups/db/groups.ts';
import { findGroups } from '../../groups/db/groups.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import type { Joiner } from '../../shared/domain/fits.ts';
import type { InviteRow } from '../db/invites.ts';
import { countWaiting } from '../db/join-requests.ts';
import { useOf } from '../domain/invite-state.ts';
import { bandRefusal, useRefusal } from '../domain/invite-terms.ts';
import { type WordsNeeded, wordsNeeded } from '../domain/join-terms.ts';

/**
 * Whose word it takes for somebody to join by an invite.
 *
 * @param invite as it is now
 * @throws bad_request for an invite that cannot be used any more, or not by somebody of that age
 */
export async function checkComing(
  db: Db,
  group: GroupRow,
  invite: InviteRow,
  joiner: Joiner & { guardians: readonly string[] },
): Promise<WordsNeeded> {
  const refusal =
    useRefusal(useOf(invite, await countWaiting(db, invite.id))) ??
    bandRefusal(ageBandOf(invite.for_age), joiner.ageBand);
  if (refusal !== null) throw refusal;
  const [found] = await findGroups(db, [group.id], []);
  return wordsNeeded(group, joiner, found?.has_minors ?? false);
}
