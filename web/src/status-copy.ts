import { t } from '@hearth/i18n';
import type { Words } from './html.ts';

/** The outcomes of an ask. */
export const settledStatuses = ['approved', 'declined', 'cancelled', 'expired'] as const;

export type SettledStatus = (typeof settledStatuses)[number];

export type AskStatus = 'waiting' | SettledStatus;

export const STATUS_COPY = {
  waiting: { words: t('requests.status.waiting'), tone: 'plain' },
  approved: { words: t('requests.status.approved'), tone: 'good' },
  declined: { words: t('requests.status.declined'), tone: 'care' },
  cancelled: { words: t('requests.status.cancelled'), tone: 'plain' },
  expired: { words: t('requests.status.expired'), tone: 'plain' },
} as const satisfies Record<AskStatus, { words: Words; tone: 'plain' | 'care' | 'good' }>;

/** An AI by who is responsible for it. */
export const SENDER_COPY = {
  claimed: [t('common.sender.claimed'), 'good'],
  vouched: [t('common.sender.vouched'), 'plain'],
  unclaimed: [t('common.sender.unclaimed'), 'care'],
} as const;
