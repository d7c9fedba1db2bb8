import { forbidden } from '@hearth/errors';
import { placeCursor, readPage } from '@hearth/paging';
import { InviteStatus, type InvitesService } from '@hearth/proto/groups/v1/invites';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroup, type ShownGroup } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import { type InviteRow, listInvites as listRows } from '../db/invites.ts';
import { listWaiting } from '../db/join-requests.ts';
import { statuses } from '../domain/enum-names.ts';
import { isOpen } from '../domain/invite-state.ts';
import { toInvite, toWaiting } from '../domain/to-proto.ts';

const shownWaiting = 100;

/** Lists a group's invites and pending join requests for its organizers. */
export const listInvites =
  (context: Context): UnaryHandler<typeof InvitesService.method.listInvites> =>
  async (request, { caller }) => {
    const { clock, database, people } = context;
    const now = clock.now();
    let rules: ShownGroup | undefined;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const group = await findGroup(context, request.id, caller);
        if (group.role !== 'organizer')
          throw forbidden('only an organizer of the group sees its invites', { rule: 'only_organizers' });
        const status = statuses.nameOf(request.status ?? InviteStatus.UNSPECIFIED) || null;
        const page = { status: status as InviteRow['status'] | null, after, limit, now: new Date(now) };
        rules = group;
        return await listRows(database.db, group.id, page);
      },
      placeOf: (row) => ({ at: row.created_at, id: row.id }),
    });
    const open = rows.filter((row) => isOpen(row, now)).map(({ id }) => id);
    const waiting = await listWaiting(database.db, open, shownWaiting);
    const facts = await people.everywhere.find(waiting.map(({ person }) => person));
    return {
      invites: rows.map((row) => {
        const joins = waiting.filter(({ invite }) => invite === row.id);
        return { ...toInvite(row, now, caller), waiting: toWaiting(people, rules!, joins, facts, caller) };
      }),
      nextCursor,
    };
  };
