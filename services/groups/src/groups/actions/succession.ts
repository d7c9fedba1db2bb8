import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { groupsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { archiveGroup, type GroupRow, raiseSeq } from '../db/groups.ts';
import {
  appsOfMembers,
  countOrganizers,
  longestStandingAdult,
  type MemberRow,
  setRole,
} from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { type AnnouncedPerson, groupArchived, roleChanged } from '../domain/events.ts';

/** What follows when an organizer goes who did not choose it. */
export interface Succession {
  /** uuid of who becomes an organizer in their place. */
  follower: string | null;
  archived: boolean;
}

/** Who follows `leaver`, when the group would be without an organizer; null when nobody has to or can. */
export async function findFollower(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  group: GroupRow,
  leaver: MemberRow,
): Promise<MemberRow | null> {
  return (await leavesNone(tx, group, leaver, clock.now()))
    ? await longestStandingAdult(tx, group.id, leaver.person)
    : null;
}

/**
 * Keeps the rule that an active group has an adult as organizer: the longest-standing adult follows `leaver`, else the
 * group is archived. To be called with the group's row locked, while `leaver` is still counted.
 *
 * @param nameOf how the follower is announced
 */
export async function succeed(
  { clock, outbox }: Pick<Context, 'clock' | 'outbox'>,
  tx: Tx,
  group: GroupRow,
  leaver: MemberRow,
  nameOf: (person: MemberRow) => AnnouncedPerson,
): Promise<{ succession: Succession; events: OutboxRow[] }> {
  const now = clock.now();
  if (!(await leavesNone(tx, group, leaver, now)))
    return { succession: { follower: null, archived: false }, events: [] };
  const apps = await appsOfMembers(tx, group.id);
  const follower = await longestStandingAdult(tx, group.id, leaver.person);
  if (follower !== null && (await setRole(tx, group.id, follower.person, 'organizer'))) {
    const seq = await raiseSeq(tx, group.id);
    const told = { group, seq, apps, topics: [groupsTopic(follower.person)] };
    return {
      succession: { follower: follower.person, archived: false },
      events: [roleChanged(outbox, told, nameOf(follower), 'organizer')],
    };
  }
  const row = await archiveGroup(tx, group.id, { why: 'organizer_left', by: null, at: new Date(now) });
  return {
    succession: { follower: null, archived: true },
    events: [groupArchived(outbox, { group, seq: row.seq, apps }, 'organizer_left')],
  };
}

async function leavesNone(tx: Tx, group: GroupRow, leaver: MemberRow, now: number): Promise<boolean> {
  if (leaver.role !== 'organizer' || isArchived(group, now)) return false;
  return (await countOrganizers(tx, group.id)) === 1;
}
