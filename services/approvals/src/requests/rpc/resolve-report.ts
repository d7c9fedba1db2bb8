import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { actorOf } from '@hearth/rpc';
import type { RequestsContext } from '../context.ts';
import { lockReport, resolveReport as markResolved } from '../db/reports.ts';
import { reportResolvedEvent } from '../domain/events.ts';
import { toReport } from '../domain/to-report.ts';
import type { RequestsHandlers } from './index.ts';

/** With a line in the log of what happened; resolved is resolved. */
export const resolveReport =
  ({ clock, database, outbox }: RequestsContext): RequestsHandlers['resolveReport'] =>
  async ({ id, resolution }, { caller }) => {
    const uuid = parseId('rpt', id);
    if (uuid === null) throw notFound();
    const event = reportResolvedEvent(outbox, { id: uuid, resolution }, actorOf(caller));
    const at = new Date(clock.now());
    const row = await database.transaction(async (tx) => {
      const found = await lockReport(tx, uuid);
      if (found === null) throw notFound();
      if (found.resolvedAt !== null)
        throw badRequest(`this report was closed already: ${found.resolution ?? ''}`, {
          code: 'already_settled',
        });
      await markResolved(tx, uuid, resolution, at);
      await outbox.announce(tx, [event]);
      return found;
    });
    outbox.committed([event]);
    return toReport({ ...row, resolvedAt: at, resolution });
  };
