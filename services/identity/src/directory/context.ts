import type { Idempotency } from '@hearth/idempotency';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';
import type { Accepts } from './actions/accepts.ts';
import type { Cards } from './actions/cards.ts';
import type { CredentialLookup } from './actions/credential-lookup.ts';

export type Context = Pick<
  Host,
  'clock' | 'commit' | 'config' | 'database' | 'homeNames' | 'ids' | 'limiter' | 'limits' | 'random'
> &
  Parts & {
    credentials: CredentialLookup;
    cards: Cards;
    accepts: Accepts;
    /** sign_up by its request_id: the AI that it made. */
    idempotency: Idempotency<{ ai: string }>;
    messages: Pick<Client<typeof MessagesService>, 'countUnread'>;
    approvals: Pick<Client<typeof ApprovalsService>, 'countWaiting'>;
  };
