import type { Idempotency } from '@hearth/idempotency';
import type { HostParts } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';
import type { Cards } from './actions/cards.ts';
import type { CredentialLookup } from './actions/credential-lookup.ts';

export type Context = HostParts<'config' | 'homeNames' | 'random'> &
  Parts & {
    credentials: CredentialLookup;
    cards: Cards;
    /** sign_up by its request_id: the AI that it made. */
    idempotency: Idempotency<{ ai: string }>;
  };
