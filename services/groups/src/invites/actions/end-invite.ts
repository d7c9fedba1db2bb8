import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../../groups/context.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import type { AnnouncedPerson } from '../../groups/domain/events.ts';
import type { InviteRow } from '../db/invites.ts';
import { cancelAsks } from '../db/join-approvals.ts';
import { declineWaiting } from '../db/join-requests.ts';
import { inviteEnded } from '../domain/events.ts';
import { announcementOf, move } from './change-invite.ts';

/**
 * Ends an invite for everybody, and with it the wish of each who waits by it. Null where it has ended already.
 *
 * @param known who is known to wait; who has come since is announced without a name
 */
export async function endInvite(
  { clock, outbox }: Pick<Context, 'clock' | 'outbox'>,
  tx: Tx,
  at: { group: GroupRow; invite: InviteRow },
  why: 'revoked' | 'expired',
  known: ReadonlyMap<string, PersonFacts>,
  by: Caller | undefined,
): Promise<{ invite: InviteRow; events: OutboxRow[] } | null> {
  const invite = await move(tx, at.invite, why);
  if (invite === null) return null;
  await cancelAsks(tx, { invite: invite.id }, new Date(clock.now()));
  const waited = await declineWaiting(tx, invite.id, new Date(clock.now()));
  const told = await announcementOf(tx, at.group, invite, [...known.values()], by);
  const events =
    waited.length === 0
      ? [inviteEnded(outbox, told, why)]
      : waited.map((person) => inviteEnded(outbox, told, why, known.get(person) ?? nameless(person)));
  return { invite, events };
}

function nameless(id: string): AnnouncedPerson {
  return { id, handle: '', name: '', ageBand: AgeBand.CHILD };
}
