import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import {
  type ReportEntrySchema,
  ReportReason,
  ReportReasonSchema,
} from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind, CallerKindSchema } from '@hearth/proto/options';
import type { ReportRow } from '../db/reports.ts';

export const reasons = enumNames(ReportReasonSchema);
const callerKinds = enumNames(CallerKindSchema);

export type NewReport = Omit<ReportRow, 'resolvedAt' | 'resolution' | 'rank'>;

/** The id of a reporter by mail, who has no account. */
const noParty = '00000000-0000-0000-0000-000000000000';

export function newReport(
  { id, at }: Pick<NewReport, 'id' | 'at'>,
  {
    about,
    author = '',
    reason,
    text = '',
  }: { about: string; author?: string; reason: string; text?: string | undefined },
  caller: Caller,
): NewReport {
  const byKind = callerKinds.nameOf(caller.kind);
  const byId = caller.id || noParty;
  return { id, about, author, reason, text, byKind, byId, byAddress: reporterOf(caller), at };
}

/** The operator sees no address of a person under 18 or of their AI; an app has none. */
function reporterOf({ kind, id, minor, address }: Caller): string {
  if (kind === CallerKind.APP) return printId('app', id);
  if (!minor) return address;
  return printId(kind === CallerKind.AI ? 'ai' : 'per', id);
}

/** The report as the operator reads it. @param quote the reported text, if it is public */
export function toReport(row: ReportRow, quote?: string): MessageInitShape<typeof ReportEntrySchema> {
  return {
    id: printId('rpt', row.id),
    about: row.about,
    reason: reasons.valueOf(row.reason) || ReportReason.OTHER,
    text: row.text,
    by: row.byAddress,
    at: timestampFromDate(row.at),
    resolvedAt: row.resolvedAt === null ? undefined : timestampFromDate(row.resolvedAt),
    resolution: row.resolution ?? undefined,
    author: row.author || undefined,
    quote,
  };
}
