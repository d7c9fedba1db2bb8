import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { Handlers } from '@hearth/rpc';
import {
  findInvitation,
  type InvitationRow,
  type InvitationsViewer,
  listInvitations,
} from '../../db/invitations.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { InvitesContext } from '../../invites-context.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { declineInvitation } from './decline-invitation.ts';
import { passInvitation } from './pass-invitation.ts';

export type InvitationsHandlers = Handlers<typeof InvitationsService>;

const most = 1_001;

/** Invites as those have them whom they were sent to, or with whom they wait in their place. */
export function invitationsHandlers(context: InvitesContext): InvitationsHandlers {
  const { clock, database } = context;
  return {
    async listInvitations({ beforeAt, beforeId, limit, ...asked }) {
      const viewer = readViewer(asked);
      if (viewer === null) return {};
      const before = beforeAt === undefined ? null : { at: timestampDate(beforeAt), id: beforeId };
      const rows = await listInvitations(database.db, viewer, nowDate(clock), before, Math.min(limit, most));
      return { invitations: await show(context, rows) };
    },
    async findInvitation({ id, ...asked }) {
      const viewer = readViewer(asked);
      if (viewer === null || !isUuid(id)) return {};
      const row = await findInvitation(database.db, viewer, nowDate(clock), id);
      const [invitation] = row === null ? [] : await show(context, [row]);
      return { invitation };
    },
    acceptInvitation: acceptInvitation(context),
    declineInvitation: declineInvitation(context),
    passInvitation: passInvitation(context),
  };
}

function readViewer({ person, holders }: { person: string; holders: string[] }): InvitationsViewer | null {
  return isUuid(person) ? { person, holders: holders.filter(isUuid) } : null;
}

async function show({ people }: InvitesContext, rows: readonly InvitationRow[]) {
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
    person: row.to_person,
    holder: row.holder ?? '',
    passedNote: row.passed_note,
  }));
}
