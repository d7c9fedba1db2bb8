import { nowDate } from '@hearth/clock';
import { isUuid } from '@hearth/ids';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { UnaryHandler } from '@hearth/rpc';
import { readViewer, showInvitations } from '../actions/show-invitations.ts';
import type { Context } from '../context.ts';
import { findInvitation as findRow } from '../db/invitations.ts';

export const findInvitation =
  (context: Context): UnaryHandler<typeof InvitationsService.method.findInvitation> =>
  async ({ id, ...request }) => {
    const { clock, database } = context;
    const viewer = readViewer(request);
    if (viewer === null || !isUuid(id)) return {};
    const row = await findRow(database.db, viewer, nowDate(clock), id);
    const [invitation] = row === null ? [] : await showInvitations(context, viewer, [row]);
    return { invitation };
  };
