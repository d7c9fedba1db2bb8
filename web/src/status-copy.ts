/** The outcomes of an ask. */
export const settledStatuses = ['approved', 'declined', 'cancelled', 'expired'] as const;

export type SettledStatus = (typeof settledStatuses)[number];

export type AskStatus = 'waiting' | SettledStatus;

export const STATUS_COPY = {
  waiting: { words: 'waiting', tone: 'plain' },
  approved: { words: 'approved', tone: 'good' },
  declined: { words: 'declined', tone: 'care' },
  cancelled: { words: 'taken back', tone: 'plain' },
  expired: { words: 'ran out of time', tone: 'plain' },
} as const satisfies Record<AskStatus, { words: string; tone: 'plain' | 'care' | 'good' }>;

/** An AI by who answers for it. */
export const SENDER_COPY = {
  claimed: ['a person answers for it', 'good'],
  vouched: ['vouched for', 'plain'],
  unclaimed: ['no one answers for it', 'care'],
} as const;
