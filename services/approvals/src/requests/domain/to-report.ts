import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { ReportEntrySchema } from '@hearth/proto/approvals/v1/requests';
import type { ReportRow } from '../db/reports.ts';
import { reasonNumber } from './report-reasons.ts';

/** As the operator reads it. */
export function toReport(row: ReportRow): MessageInitShape<typeof ReportEntrySchema> {
  return {
    id: printId('rpt', row.id),
    about: row.about,
    reason: reasonNumber(row.reason),
    text: row.text,
    by: row.byAddress,
    at: timestampFromDate(row.at),
    resolvedAt: row.resolvedAt === null ? undefined : timestampFromDate(row.resolvedAt),
    resolution: row.resolution ?? undefined,
  };
}
