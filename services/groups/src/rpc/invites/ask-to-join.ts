import type { Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { announcementOf, type Joiner, move, tell } from '../../change-invite.ts';
import type { Context } from '../../context.ts';
import type { GroupRow } from '../../db/groups.ts';
import type { InviteRow } from '../../db/invites.ts';
import { type JoinRow, writeJoin } from '../../db/joins.ts';
import { listMembers } from '../../db/members.ts';
import { waitingFor } from '../../domain/join-state.ts';
import { joinAsked, personNotified } from '../../events/announce-invites.ts';
import { wantsToJoin } from '../../notices.ts';

export interface Wish {
  group: GroupRow;
  invite: InviteRow;
  join: JoinRow;
}

/** Notes that somebody wants to join, and tells those whose word it needs first. */
export async function askToJoin(
  context: Pick<Context, 'outbox'>,
  tx: Tx,
  { group, invite, join }: Wish,
  joiner: Joiner,
  by: Caller,
): Promise<OutboxRow[]> {
  const asked = await move(tx, invite, 'asked');
  if (asked === null) throw internal('somebody asks to join by an invite that has ended');
  await writeJoin(tx, join);
  const told = await announcementOf(tx, group, invite, [joiner.facts], by);
  return [
    joinAsked(context.outbox, told, joiner.facts, waitingFor(join)),
    ...(await tellWhoIsNext(context, tx, { group, invite, join }, joiner, by)),
  ];
}

/** The guardian's word comes first; organizers are asked about whom it let come. */
export async function tellWhoIsNext(
  context: Pick<Context, 'outbox'>,
  tx: Tx,
  { group, invite, join }: Wish,
  joiner: Joiner,
  by: Caller,
): Promise<OutboxRow[]> {
  const words = waitingFor(join);
  const notice = wantsToJoin(group, { invite, joiner: joiner.facts }, join.note, by);
  if (words.includes('guardian')) return tell(context, joiner, notice);
  if (!words.includes('organizer')) return [];
  const organizers = await listMembers(tx, group.id, 'organizer');
  return organizers.map(({ person, app }) =>
    personNotified(context.outbox, { id: person, app: app ?? '' }, '', notice),
  );
}
