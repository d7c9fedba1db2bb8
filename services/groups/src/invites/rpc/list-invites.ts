import { forbidden } from '@hearth/errors';
import { findGroup } from '../../groups/actions/find-group.ts';
import { whoseWord } from '../../groups/actions/viewer.ts';
import { printPlace, readPlace } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/page-size.ts';
import type { InvitesContext } from '../context.ts';
import { listInvites as listRows } from '../db/invites.ts';
import { listWaiting } from '../db/join-requests.ts';
import { statusWord } from '../domain/enum-names.ts';
import { isOpen } from '../domain/invite-state.ts';
import { toInvite, toWaiting } from '../domain/to-proto.ts';
import type { InvitesHandlers } from './index.ts';

const shownWaiting = 100;

/** The invites into a group and who waits to join by them, for its organizers. */
export function listInvites(context: InvitesContext): InvitesHandlers['listInvites'] {
  const { clock, database, people } = context;
  return async (request, { caller }) => {
    whoseWord(caller);
    const after = request.cursor === undefined ? null : readPlace(request.cursor);
    const group = await findGroup(context, request.id, caller);
    if (group.role !== 'organizer') throw forbidden('only an organizer of the group sees its invites');
    const limit = pageSize(context, request.limit);
    const status = statusWord(request.status);
    const now = clock.now();
    const page = { status, after, limit: limit + 1, now: new Date(now) };
    const rows = await listRows(database.db, group.id, page);
    const shown = rows.slice(0, limit);
    const open = shown.filter((row) => isOpen(row, now)).map(({ id }) => id);
    const waiting = await listWaiting(database.db, open, shownWaiting);
    const facts = await people.find(waiting.map(({ person }) => person));
    const last = shown.at(-1);
    return {
      invites: shown.map((row) => ({
        ...toInvite(row, now),
        waiting: toWaiting(
          people,
          waiting.filter(({ invite }) => invite === row.id),
          facts,
          caller,
        ),
      })),
      nextCursor:
        rows.length > limit && last !== undefined
          ? printPlace({ at: last.created_at, id: last.id })
          : undefined,
    };
  };
}
