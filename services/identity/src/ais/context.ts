import type { Idempotency } from '@hearth/idempotency';
import type { Host } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';

export type Context = Pick<
  Host,
  'clock' | 'commit' | 'database' | 'homeNames' | 'ids' | 'limiter' | 'limits' | 'random'
> &
  Parts & {
    /** create_ai by its request_id: the AI that it made. */
    idempotency: Idempotency<{ ai: string }>;
  };
