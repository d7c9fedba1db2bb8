import { ReportReason } from '@hearth/proto/approvals/v1/requests';

const reasons: Readonly<Record<string, ReportReason>> = {
  spam: ReportReason.SPAM,
  scam: ReportReason.SCAM,
  harassment: ReportReason.HARASSMENT,
  child_safety: ReportReason.CHILD_SAFETY,
  impersonation: ReportReason.IMPERSONATION,
  injection: ReportReason.INJECTION,
  other: ReportReason.OTHER,
};

export function reasonWord(reason: ReportReason): string | null {
  return Object.keys(reasons).find((word) => reasons[word] === reason) ?? null;
}

export function reasonNumber(word: string): ReportReason {
  return reasons[word] ?? ReportReason.OTHER;
}
