import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { cursorOf, readPage } from '@hearth/paging';
import type { AuditService } from '@hearth/proto/delivery/v1/audit';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type AuditRow, listAudit as listRows } from '../db/audit.ts';

const cursor = cursorOf({ at: 'time', event: 'uuid' });

/** Newest first. */
export const listAudit =
  (context: Context): UnaryHandler<typeof AuditService.method.listAudit> =>
  async (request) => {
    const wanted = {
      action: request.action ?? null,
      about: request.about ?? null,
      since: request.since === undefined ? null : timestampDate(request.since),
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (before, limit) => listRows(context.database.db, { ...wanted, before, limit }),
      placeOf: ({ at, event }) => ({ at, event }),
    });
    return { audit: rows.map(toEntry), nextCursor };
  };

function toEntry({ event, at, action, byOperator, operator, about, summary, reason }: AuditRow) {
  return {
    id: printId('evt', event),
    at: timestampFromDate(at),
    action,
    by: operator || (byOperator ? 'operator' : 'home'),
    about: about || undefined,
    summary,
    reason: reason || undefined,
  };
}
