import type { Db } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import { stateDue } from '@hearth/home-acts';
import type { Claim } from '@hearth/idempotency';
import { type Limits, sizeOf } from '@hearth/limits';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { type GroupRow, requireActive, requireOrganizer } from '../../groups/module.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import { personNotified } from '../../shared/domain/notice.ts';
import type { Context } from '../context.ts';
import { countOpenInvites, type InviteRow, insertInvite } from '../db/invites.ts';
import { insertMail } from '../db/mails.ts';
import { inviteCreated, noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import { hashCode } from '../domain/invite-code.ts';
import { mailDeletesAt } from '../domain/invite-mail.ts';
import { ageRefusal } from '../domain/invite-terms.ts';
import { invited, invitedChild } from '../domain/notices.ts';
import { announceItem, changeOfInvite } from './invite-machine.ts';

export interface NewInvite {
  invite: InviteRow;
  code: string;
  /** The local recipient to notify; null for any other. */
  recipient: PersonWithGuardians | null;
  /** The email address that the invite is sent to. */
  email: string | null;
}

/** Writes an invite after repeating all checks with the group locked. */
export async function storeInvite(
  { clock, groups, items, limits, sealer }: Context,
  { invite, code, recipient, email }: NewInvite,
  claim: Claim<{ id: string; code: string }>,
  caller: Caller,
): Promise<void> {
  const sealed = sealer.seal(Buffer.from(code), `invite.code:${invite.id}`);
  const item = await groups.locked(invite.group, async (tx, group) => {
    await claim(tx, { id: invite.id, code: sealed.toString('base64') });
    await requireOrganizer(tx, group.id, invite.created_by_person);
    requireActive(group, clock.now());
    const refusal = ageRefusal(group.minors, invite.for_ages.map(ageBandOf));
    if (refusal !== null) throw refusal;
    await requireRoomForInvite(tx, invite, limits);
    await insertInvite(tx, invite, hashCode(code));
    const mail = email === null ? null : { invite: invite.id, email, code: sealed };
    if (mail !== null) await insertMail(tx, mail, mailDeletesAt(invite.created_at));
    const concerned = reachesRecipient(invite) && recipient ? [recipient.facts] : [];
    const change = await changeOfInvite(tx, { group, invite }, concerned, caller);
    tx.announce(inviteCreated(change, { reusable: invite.reusable, mailed: mail !== null }));
    if (recipient !== null) tx.announce(...noticesOf(invite, group, recipient, caller));
    if (invite.home !== null) tx.announce(stateDue('groups', 'invite', invite.id));
    return await announceItem(tx, invite, invite.created_at);
  });
  await items.note(item);
}

/** @throws bad_request (cap_reached) if the group has its maximum of open invites */
export async function requireRoomForInvite(
  db: Db,
  { group, created_at }: Pick<InviteRow, 'group' | 'created_at'>,
  limits: Limits,
): Promise<void> {
  const most = sizeOf(limits, 'open_invites_a_group');
  if ((await countOpenInvites(db, group, created_at)) < most) return;
  throw badRequest(`a group has at most ${most} open invites; take some back first`, {
    code: 'cap_reached',
    limit: 'open_invites_a_group',
  });
}

/** Whether the recipient has the invite in their own hands. */
function reachesRecipient({ delivery, holder }: InviteRow): boolean {
  return holder === null && (delivery === 'delivered' || delivery === 'requested');
}

/** The notices of a new invite. An invite at the front door has none until the AI there passes it on. */
function noticesOf(
  invite: InviteRow,
  group: GroupRow,
  recipient: PersonWithGuardians,
  caller: Caller,
): Announcement[] {
  if (reachesRecipient(invite)) return noticesFor(recipient, invited(group, invite, caller));
  const guardian = recipient.guardians.find(({ id }) => id === invite.holder);
  if (guardian === undefined) return [];
  return [personNotified(guardian, recipient.facts.id, invitedChild(group, invite, recipient, caller))];
}
