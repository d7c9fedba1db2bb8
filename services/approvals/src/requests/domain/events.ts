import { storeTexts, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { BlockRow } from '../db/blocks.ts';
import type { ReportRow } from '../db/reports.ts';
import type { NewRequests } from '../db/request-notices.ts';

/** Announced to the services that end waiting items, never to the blocked sender. */
export function blockEvent(
  change: 'blocked' | 'unblocked',
  { person, target, targetId }: Pick<BlockRow, 'person' | 'target' | 'targetId'>,
  by: Caller,
): Announcement {
  return { data: { case: change, value: { person, target, targetId: targetId ?? '' } }, by };
}

/** The notice of new requests: their number, and nothing of their content. */
export function newRequestsNotice({ person, count }: NewRequests): Announcement {
  const title = t('notices.requests', { count });
  return {
    data: {
      case: 'personNotified',
      value: { person, ...storeTexts({ title }), link: '/requests', kind: 'message', item: person },
    },
  };
}

export function reportedEvent({ id, reason }: Pick<ReportRow, 'id' | 'reason'>, by?: Caller): Announcement {
  return { data: { case: 'reported', value: { report: printId('rpt', id), reason } }, by };
}

/** The operator's resolution, for the audit log. */
export function reportResolvedEvent(id: string, resolution: string, by: Caller): Announcement {
  return { data: { case: 'reportResolved', value: { report: printId('rpt', id), resolution } }, by };
}
