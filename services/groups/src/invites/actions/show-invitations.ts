import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isUuid } from '@hearth/ids';
import type { InvitationSchema } from '@hearth/proto/groups/v1/invitations';
import type { Context } from '../context.ts';
import type { InvitationRow, InvitationsViewer } from '../db/invitations.ts';

export function readViewer({
  person,
  holders,
}: {
  person: string;
  holders: string[];
}): InvitationsViewer | null {
  return isUuid(person) ? { person, holders: holders.filter(isUuid) } : null;
}

/** Leaves out what waits with a former guardian: it is on its way to the new one. */
export async function showInvitations(
  { people }: Context,
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
