import { cursorOf, readPage } from '@hearth/paging';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listReports as readReports } from '../db/reports.ts';
import { toReport } from '../domain/reports.ts';

const cursor = cursorOf({ rank: 'number', at: 'time', id: 'uuid' });

/** Child safety first, then the newest. */
export const listReports =
  (context: Context): UnaryHandler<typeof RequestsService.method.listReports> =>
  async (request) => {
    const resolved = request.resolved === true;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) => readReports(context.database.db, { resolved, after, limit }),
      placeOf: (row) => row,
    });
    return { reports: rows.map(toReport), nextCursor };
  };
