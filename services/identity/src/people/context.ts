import type { Idempotency } from '@hearth/idempotency';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';

export type Context = HostParts<'config' | 'homeNames' | 'limiter' | 'random'> &
  IdentityParts & {
    /** create_person by request_id, with the person created. */
    idempotency: Idempotency<{ person: string }>;
    /** Gives an account a sign-in; implemented by the sign-in module. */
    claimGuest: UnaryHandler<typeof PeopleService.method.claimGuest>;
  };
