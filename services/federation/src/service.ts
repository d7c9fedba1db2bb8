import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import type { ServiceDefinition } from '@hearth/runtime';
import type { Context } from './context.ts';
import { createDocuments } from './documents.ts';
import { homeDocument } from './domain/home-document.ts';
import { openKeyRing } from './key-ring.ts';
import { commonLimits } from './limits.ts';
import { handlers } from './rpc/index.ts';
import { recordsHandlers } from './rpc/records/index.ts';

const tenMinutesMs = 600_000;

/** The home's signing key, which nobody else holds, and what other homes see of this one. */
export const federation: ServiceDefinition = {
  name: 'federation',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { clock, config, database } = host;
    const keyRing = await openKeyRing(host);
    const documents = createDocuments({
      database,
      clock,
      keyRing,
      content: () =>
        homeDocument({
          home: config.home,
          siteUrl: config.siteUrl,
          keys: keyRing.listed,
          limits: commonLimits(host.limits),
        }),
    });
    await documents.issueChanges();
    host.every('renewal of the home document', tenMinutesMs, async () => {
      await documents.current();
    });
    const context: Context = { home: config.home, clock, keyRing, documents };
    host.serve(FederationService, handlers(context));
    host.serve(RecordsService, recordsHandlers({ home: config.home, clock, keyRing, database }));
  },
};
