import { badRequest } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { OutboxRow } from '@hearth/outbox';
import type { RememberedRequest } from '@hearth/requests';
import type { Caller } from '@hearth/rpc';
import { changeGroup, requireActive, requireOrganizer } from '../../groups/actions/change-group.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import { invitesTopic } from '../../shared/domain/topics.ts';
import type { InvitesContext } from '../context.ts';
import { countOpenInvites, type InviteRow, insertInvite } from '../db/invites.ts';
import { insertMail } from '../db/mails.ts';
import { inviteCreated, personNotified } from '../domain/events.ts';
import { hashCode } from '../domain/invite-code.ts';
import { ageRefusal } from '../domain/invite-terms.ts';
import { invited, invitedChild } from '../domain/notices.ts';
import { announcementOf, type Joiner, tell } from './change-invite.ts';

export type NewInvite = Omit<InviteRow, 'uses' | 'passed_note'>;

export interface Making {
  invite: NewInvite;
  code: string;
  /** Who is told of it, when it goes to somebody of this home. */
  recipient: Joiner | null;
  /** The e-mail address to which it goes. */
  email: string | null;
  remembered: RememberedRequest | undefined;
}

/**
 * Writes an invite, with what was seen to before seen to again, as it is with the group locked. Null when a parallel call
 * with the same request_id made it.
 */
export async function storeInvite(
  context: InvitesContext,
  { invite, code, recipient, email, remembered }: Making,
  caller: Caller,
): Promise<InviteRow | null> {
  const { clock, limits, made, outbox, sealer } = context;
  const sealed = sealer.seal(Buffer.from(code), `invite.code:${invite.id}`);
  const kept = { id: invite.id, code: sealed.toString('base64') };
  return await changeGroup<InviteRow | null>(context, invite.group, async (tx, group) => {
    if (remembered !== undefined && !(await made.claim(tx, remembered, kept)))
      return { result: null, events: [] };
    await requireOrganizer(tx, group, invite.created_by_person);
    requireActive(group, clock.now());
    const refusal = ageRefusal(group.minors, ageBandOf(invite.for_age));
    if (refusal !== null) throw refusal;
    const most = sizeOf(limits, 'open_invites_a_group');
    if ((await countOpenInvites(tx, group.id, invite.created_at)) >= most) throw tooMany(most);

    const row = await insertInvite(tx, invite, hashCode(code));
    if (email !== null) await insertMail(tx, { invite: row.id, email, code: sealed }, row.created_at);
    const told = await announcementOf(
      tx,
      group,
      row,
      reaches(row) && recipient ? [recipient.facts] : [],
      caller,
    );
    const created = inviteCreated(outbox, told, row.reusable, topicsOf(row));
    return { result: row, events: [created, ...noticesOf(context, row, group, recipient, caller)] };
  });
}

/** Whoever it was sent to has it themselves. */
function reaches({ delivery, holder }: InviteRow): boolean {
  return holder === null && (delivery === 'delivered' || delivery === 'requested');
}

function topicsOf(row: InviteRow): string[] {
  const waitsWith = row.holder ?? (reaches(row) ? row.to_person : null);
  return waitsWith === null ? [] : [invitesTopic(waitsWith)];
}

/** Nobody is told of what the AI at the front door sees first, until it passes it on. */
function noticesOf(
  context: InvitesContext,
  row: InviteRow,
  group: GroupRow,
  recipient: Joiner | null,
  caller: Caller,
): OutboxRow[] {
  if (recipient === null) return [];
  if (reaches(row)) return tell(context, recipient, invited(group, row, caller));
  const guardian = recipient.guardians.find(({ id }) => id === row.holder);
  if (guardian === undefined) return [];
  return [
    personNotified(context.outbox, guardian, recipient.facts.id, invitedChild(group, row, recipient, caller)),
  ];
}

function tooMany(most: number): Error {
  return badRequest(`a group has at most ${most} open invites; take some back first`, {
    code: 'cap_reached',
    limit: 'open_invites_a_group',
  });
}
