import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import type { ServiceDefinition } from '@hearth/runtime';
import { recordsHandlers } from './records/rpc/index.ts';
import { createDocuments } from './signing/actions/documents.ts';
import { openKeyRing } from './signing/actions/key-ring.ts';
import type { Context } from './signing/context.ts';
import { commonLimits } from './signing/domain/common-limits.ts';
import { homeDocument } from './signing/domain/home-document.ts';
import { handlers } from './signing/rpc/index.ts';

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
