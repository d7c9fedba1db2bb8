import type { Idempotency } from '@hearth/idempotency';
import type { HostParts } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';

export type Context = HostParts<'homeNames' | 'limiter' | 'random'> &
  Parts & {
    /** create_ai by its request_id: the AI that it made. */
    idempotency: Idempotency<{ ai: string }>;
  };
