import { badField } from '@hearth/errors';
import { pageSize } from '../../shared/actions/page-size.ts';
import type { RequestsContext } from '../context.ts';
import { type ReportPlace, listReports as readReports } from '../db/reports.ts';
import { toReport } from '../domain/to-report.ts';
import type { RequestsHandlers } from './index.ts';

/** Child safety first, then the newest. */
export const listReports =
  ({ database, limits }: RequestsContext): RequestsHandlers['listReports'] =>
  async ({ cursor, limit, resolved }) => {
    const size = pageSize({ limits }, limit);
    const rows = await readReports(database.db, {
      resolved: resolved === true,
      after: cursor === undefined ? null : readPlace(cursor),
      limit: size + 1,
    });
    const shown = rows.slice(0, size);
    const last = shown.at(-1);
    return {
      reports: shown.map(toReport),
      nextCursor: rows.length > size && last !== undefined ? printPlace(last) : undefined,
    };
  };

function printPlace({ rank, at, id }: ReportPlace): string {
  return Buffer.from(`${rank},${at.getTime()},${id}`).toString('base64url');
}

function readPlace(text: string): ReportPlace {
  const match = /^([01]),(\d{1,15}),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text, 'base64url').toString(),
  );
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return { rank: Number(match[1]), at: new Date(Number(match[2])), id: match[3] as string };
}
