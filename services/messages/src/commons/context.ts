import type { Idempotency } from '@hearth/idempotency';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { SendMessage } from '../messages/module.ts';
import type { Poster } from './actions/poster.ts';

export type Context = HostParts<'homeNames' | 'limiter' | 'outbox'> & {
  /** Requests by request_id, with the post or reply created. */
  idempotency: Idempotency<{ post: string }>;
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  poster: Poster;
  sendMessage: SendMessage;
};
