import { sizeOf } from '@hearth/limits';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { UsesService } from '@hearth/proto/gateway/v1/uses';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { createParts, type IdentityParts } from '../shared/actions/parts.ts';
import { endedIn, keysKeptMs } from '../shared/db/ended-rows.ts';
import { createCards } from './actions/cards.ts';
import { createCredentialLookup } from './actions/credential-lookup.ts';
import type { Context } from './context.ts';

/**
 * Addresses, credentials, profiles, cards and an AI's own settings. Returns the lookups that other modules
 * use.
 */
export async function startDirectory(host: Host): Promise<IdentityParts> {
  const parts = createParts(host);
  const federation = host.peer('federation', FederationService);
  const context: Context = {
    ...host,
    ...parts,
    credentials: createCredentialLookup(host.database.db, sizeOf(host.limits, 'session_idle_days')),
    cards: createCards({ ...host, federation }),
    federation,
    idempotency: host.idempotency(),
    rotations: host.idempotency(),
  };
  await host.serveRpcs(IdentityService, import.meta.url, context);
  await host.serveRpcs(UsesService, import.meta.url, context);
  host.purge('purge-keys', [keysKeptMs, endedIn('keys')]);
  return parts;
}
