import { cursorOf, readPage } from '@hearth/paging';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listReports as readReports } from '../db/reports.ts';
import { toReport } from '../domain/reports.ts';

const cursor = cursorOf({ rank: 'number', at: 'time', id: 'uuid' });

/** Child safety first, then newest first. */
export const listReports =
  (context: Context): UnaryHandler<typeof RequestsService.method.listReports> =>
  async (request) => {
    const resolved = request.resolved === true;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) => readReports(context.database.db, { resolved, after, limit }),
      placeOf: (row) => row,
    });
    const quotes = await Promise.all(rows.map(({ about }) => quoteOf(context, about)));
    return { reports: rows.map((row, index) => toReport(row, quotes[index])), nextCursor };
  };

/** The text of a post in the Commons, which is public there; undefined for anything else. */
async function quoteOf({ commons }: Context, about: string): Promise<string | undefined> {
  if (!about.startsWith('pst_')) return undefined;
  return (await commons.findSeenPost({ id: about }, { caller: anonymous })).text || undefined;
}
