import type { Idempotency } from '@hearth/idempotency';
import type { Host } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';
import type { Cards } from './actions/cards.ts';
import type { CredentialLookup } from './actions/credential-lookup.ts';

export type Context = Pick<
  Host,
  'clock' | 'commit' | 'config' | 'database' | 'homeNames' | 'ids' | 'limits' | 'random'
> &
  Parts & {
    credentials: CredentialLookup;
    cards: Cards;
    /** sign_up by its request_id: the AI that it made. */
    idempotency: Idempotency<{ ai: string }>;
  };
