import type { Idempotency } from '@hearth/idempotency';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'clock' | 'commit' | 'database' | 'ids' | 'limiter' | 'limits'> & {
  /** send_feedback by its request_id: the feedback that it made. */
  idempotency: Idempotency<{ feedback: string }>;
};
