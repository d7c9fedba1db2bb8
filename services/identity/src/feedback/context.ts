import type { Idempotency } from '@hearth/idempotency';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'clock' | 'commit' | 'database' | 'ids' | 'limiter' | 'limits'> & {
  /** send_feedback by request_id, with the feedback stored. */
  idempotency: Idempotency<{ feedback: string }>;
};
