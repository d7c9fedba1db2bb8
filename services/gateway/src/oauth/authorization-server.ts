import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Host } from '@hearth/runtime';
import { createAdapters } from './adapter.ts';
import { createClientDocuments } from './client-documents.ts';
import { type ConsentPage, createConsentPage } from './consent-page.ts';
import { createProvider } from './provider.ts';
import { createResources } from './resources.ts';

export type Deps = Pick<Host, 'clock' | 'config' | 'http' | 'ids' | 'languages' | 'log' | 'peer' | 'sealer'>;

/** Everything that needs the library; `module.ts` loads it at the first sign-in of a program. */
export interface AuthorizationServer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  consent: ConsentPage;
}

export function createAuthorizationServer(host: Deps): AuthorizationServer {
  const { clock, config, http, ids, languages, log, sealer } = host;
  const { siteUrl } = config;
  const oauth = host.peer('identity', OAuthService);
  const documents = createClientDocuments({ http, clock });
  const resources = createResources(siteUrl);
  const adapter = createAdapters({ oauth, documents, sealer, resources });
  const provider = createProvider({ config, ids, languages, log, sealer, oauth, adapter, resources });
  return { handle: provider.callback(), consent: createConsentPage({ provider, oauth, clock }) };
}
