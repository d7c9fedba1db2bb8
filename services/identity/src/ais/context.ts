import type { Idempotency } from '@hearth/idempotency';
import type { HostParts } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';

export type Context = HostParts<'homeNames' | 'limiter' | 'random'> &
  IdentityParts & {
    /** create_ai by request_id, with the AI created. */
    idempotency: Idempotency<{ ai: string }>;
  };
