import { minute } from '@hearth/clock';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Host } from '@hearth/runtime';
import { createDocuments } from './actions/documents.ts';
import { type KeyRing, openKeyRing } from './actions/key-ring.ts';
import type { Context } from './context.ts';
import { commonLimits } from './domain/common-limits.ts';
import { homeDocument } from './domain/home-document.ts';

export type { KeyRing };

/** The signing key of the home, opened; records and webhooks are signed with it, and the home document. */
export async function startSigning(host: Host): Promise<KeyRing> {
  const { clock, config, database, limits } = host;
  const { home, siteUrl } = config;
  const keyRing = await openKeyRing(host);
  const documents = createDocuments({
    database,
    clock,
    keyRing,
    content: () => homeDocument({ home, siteUrl, keys: keyRing.listed, limits: commonLimits(limits) }),
  });
  await documents.issueChanges();
  host.every('renew-home-document', 10 * minute, async () => {
    await documents.current();
  });
  const context: Context = { home, clock, keyRing, documents };
  await host.serveRpcs(FederationService, import.meta.url, context);
  return keyRing;
}
