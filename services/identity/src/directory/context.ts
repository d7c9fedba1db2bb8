import type { Idempotency } from '@hearth/idempotency';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import type { Rotations } from '../shared/actions/secret-again.ts';
import type { Cards } from './actions/cards.ts';
import type { CredentialLookup } from './actions/credential-lookup.ts';

export type Context = HostParts<'config' | 'homeNames' | 'random' | 'sealer'> &
  IdentityParts & {
    credentials: CredentialLookup;
    cards: Cards;
    federation: Pick<Client<typeof FederationService>, 'getHomeDocument'>;
    /** sign_up by request_id, with the AI created. */
    idempotency: Idempotency<{ ai: string }>;
    /** rotate_ai_key by request_id. */
    rotations: Rotations;
  };
