import type { Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import type { Changed } from '../../groups/actions/change-group.ts';
import type { Context } from '../../groups/context.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import type { InviteRow } from '../db/invites.ts';
import { type JoinRow, writeJoin } from '../db/join-requests.ts';
import { joinAsked } from '../domain/events.ts';
import { waitingFor } from '../domain/join-state.ts';
import { announcementOf, type Joiner, move } from './change-invite.ts';
import { withAsk } from './join-approvals.ts';

export interface Wish {
  group: GroupRow;
  invite: InviteRow;
  join: JoinRow;
}

/** Notes that somebody wants to join, and the ask for the word that it needs first. Approvals tells those who are asked. */
export async function askToJoin(
  context: Pick<Context, 'clock' | 'ids' | 'outbox'>,
  tx: Tx,
  { group, invite, join: wanted }: Wish,
  joiner: Joiner,
  by: Caller,
): Promise<Changed<{ join: JoinRow }>> {
  const asked = await move(tx, invite, 'asked');
  if (asked === null) throw internal('somebody asks to join by an invite that has ended');
  const join = await withAsk(context, tx, invite, wanted);
  await writeJoin(tx, join);
  const told = await announcementOf(tx, group, invite, [joiner.facts], by);
  return { result: { join }, events: [joinAsked(context.outbox, told, joiner.facts, waitingFor(join))] };
}
