import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { InvitationSchema, InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { Handlers } from '@hearth/rpc';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { InvitesContext } from '../context.ts';
import {
  findInvitation,
  type InvitationRow,
  type InvitationsViewer,
  listInvitations,
} from '../db/invitations.ts';
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
      return { invitations: await show(context, viewer, rows) };
    },
    async findInvitation({ id, ...asked }) {
      const viewer = readViewer(asked);
      if (viewer === null || !isUuid(id)) return {};
      const row = await findInvitation(database.db, viewer, nowDate(clock), id);
      const [invitation] = row === null ? [] : await show(context, viewer, [row]);
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

/** Without what waits with the viewer for somebody whom they guard no more: that is on its way to who does. */
async function show(
  { people }: InvitesContext,
  viewer: InvitationsViewer,
  rows: readonly InvitationRow[],
): Promise<MessageInitShape<typeof InvitationSchema>[]> {
  const known = await people.find(
    rows.flatMap((row) => [row.created_by_person, ...(row.holder === viewer.person ? [row.to_person] : [])]),
  );
  const isTheirs = ({ holder, to_person }: InvitationRow) =>
    holder !== viewer.person || known.get(to_person)?.guardians.includes(holder) === true;
  return rows.filter(isTheirs).map((row) => ({
    id: row.id,
    group: row.group,
    groupName: row.group_name,
    createdBy: row.created_by,
    createdByPerson: row.created_by_person,
    createdByName: known.get(row.created_by_person)?.name ?? '',
    at: timestampFromDate(row.created_at),
    expiresAt: timestampFromDate(row.expires_at),
    person: row.to_person,
    holder: row.holder ?? '',
    passedNote: row.passed_note,
  }));
}
