import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { lockReport, resolveReport as markResolved } from '../db/reports.ts';
import { reportResolvedEvent } from '../domain/events.ts';
import { toReport } from '../domain/reports.ts';

/** Resolves a report, and logs it in the audit log. A resolution is final. */
export const resolveReport =
  ({ clock, commit }: Context): UnaryHandler<typeof RequestsService.method.resolveReport> =>
  async ({ id, resolution }, { caller }) => {
    const uuid = parseId('rpt', id);
    if (uuid === null) throw notFound();
    const at = new Date(clock.now());
    const row = await commit(async (tx) => {
      const found = await lockReport(tx, uuid);
      if (found === null) throw notFound();
      if (found.resolvedAt !== null)
        throw badRequest(`this report was closed already: ${found.resolution ?? ''}`, {
          code: 'already_settled',
        });
      await markResolved(tx, uuid, resolution, at);
      tx.announce(reportResolvedEvent(uuid, resolution, caller));
      return found;
    });
    return toReport({ ...row, resolvedAt: at, resolution });
  };
