import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import {
  AcceptInviteRequestSchema,
  JoinVia,
  WithdrawJoinRequestSchema,
} from '@hearth/proto/groups/v1/invites';
import { type Handlers, personOf } from '@hearth/rpc';
import { findInvitation, type InvitationRow, listInvitations } from '../../db/invitations.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { InvitesContext } from '../../invites-context.ts';
import type { InvitesHandlers } from '../invites/index.ts';

export type InvitationsHandlers = Handlers<typeof InvitationsService>;

const most = 1_001;

/** Invites as those have them whom they were sent to; they join and decline as they do by the invite's own operations. */
export function invitationsHandlers(
  context: Pick<InvitesContext, 'clock' | 'database' | 'people'>,
  { acceptInvite, withdrawJoin }: Pick<InvitesHandlers, 'acceptInvite' | 'withdrawJoin'>,
): InvitationsHandlers {
  const { clock, database, people } = context;

  async function shown(rows: readonly InvitationRow[]) {
    const makers = await people.find(rows.map((row) => row.created_by_person));
    return rows.map((row) => ({
      id: row.id,
      group: row.group,
      groupName: row.group_name,
      createdBy: row.created_by,
      createdByPerson: row.created_by_person,
      createdByName: makers.get(row.created_by_person)?.name ?? '',
      at: timestampFromDate(row.created_at),
      expiresAt: timestampFromDate(row.expires_at),
    }));
  }

  /** @throws not_found for what does not wait for the calling person */
  async function requireWaiting(id: string, person: string | null): Promise<void> {
    if (person === null || !isUuid(id)) throw notFound();
    if ((await findInvitation(database.db, person, nowDate(clock), id)) === null) throw notFound();
  }

  return {
    async listInvitations({ person, beforeAt, beforeId, limit }) {
      if (!isUuid(person)) return {};
      const before = beforeAt === undefined ? null : { at: timestampDate(beforeAt), id: beforeId };
      const rows = await listInvitations(database.db, person, nowDate(clock), before, Math.min(limit, most));
      return { invitations: await shown(rows) };
    },
    async findInvitation({ person, id }) {
      const row =
        isUuid(person) && isUuid(id) ? await findInvitation(database.db, person, nowDate(clock), id) : null;
      return row === null ? {} : { invitation: (await shown([row]))[0]! };
    },
    async acceptInvitation({ id, note }, call) {
      await requireWaiting(id, personOf(call.caller));
      const request = { code: printId('inv', id), via: JoinVia.INVITE, ...(note !== '' && { note }) };
      return await acceptInvite(create(AcceptInviteRequestSchema, request), call);
    },
    async declineInvitation({ id }, call) {
      await requireWaiting(id, personOf(call.caller));
      await withdrawJoin(create(WithdrawJoinRequestSchema, { code: printId('inv', id) }), call);
      return {};
    },
  };
}
