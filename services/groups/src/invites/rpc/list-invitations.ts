import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { UnaryHandler } from '@hearth/rpc';
import { readViewer, showInvitations } from '../actions/show-invitations.ts';
import type { Context } from '../context.ts';
import { listInvitations as listRows } from '../db/invitations.ts';

const most = 1_001;

/** The invites that wait for a person, or with one of the holders in their place. */
export const listInvitations =
  (context: Context): UnaryHandler<typeof InvitationsService.method.listInvitations> =>
  async ({ beforeAt, beforeId, limit, ...request }) => {
    const { clock, database } = context;
    const viewer = readViewer(request);
    if (viewer === null) return {};
    const before = beforeAt === undefined ? null : { at: timestampDate(beforeAt), id: beforeId };
    const rows = await listRows(database.db, viewer, nowDate(clock), before, Math.min(limit, most));
    return { invitations: await showInvitations(context, viewer, rows) };
  };
