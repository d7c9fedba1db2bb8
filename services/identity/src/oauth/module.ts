import { hour } from '@hearth/clock';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import type { Context } from './context.ts';
import { purgeOAuth } from './jobs/purge-oauth.ts';

/** The objects of the gateway's authorization server, and the grants that people give to programs. */
export async function startOAuth(host: Host, { people }: IdentityParts): Promise<void> {
  const context: Context = { ...host, people };
  // The gateway seals it.
  const clientSecret = "'oauth.client_secret:' || (payload->>'client_id')";
  host.sealed({ table: 'oauth_objects', column: 'payload', member: 'sealed_secret', context: clientSecret });
  await host.serveRpcs(OAuthService, import.meta.url, context);
  host.every('purge-oauth', hour, () => purgeOAuth(context));
}
