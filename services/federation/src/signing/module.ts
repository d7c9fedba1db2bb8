import { minute, second } from '@hearth/clock';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { KeysService } from '@hearth/proto/federation/v1/keys';
import type { Host } from '@hearth/runtime';
import { createKeyChanges } from './actions/change-keys.ts';
import { createDocuments } from './actions/documents.ts';
import { type KeyRing, openKeyRing } from './actions/key-ring.ts';
import type { Context } from './context.ts';
import { commonLimits } from './domain/common-limits.ts';
import { homeDocument } from './domain/home-document.ts';

export type { KeyRing };

/** Opens the home's signing keys, which sign records, webhooks and the home document. */
export async function startSigning(host: Host): Promise<KeyRing> {
  const { bus, clock, commit, config, database, limits, log, random, sealer, seals } = host;
  const { federation: mode, home, siteUrl } = config;
  host.sealed({ table: 'keys', column: 'sealed_seed', context: "'federation.key:' || kid" });
  const keyRing = await openKeyRing(host);
  const documents = createDocuments({
    database,
    clock,
    keyRing,
    content: (keys) =>
      homeDocument({
        home,
        siteUrl,
        keys,
        limits: commonLimits(limits),
        mode,
        requestsAMinute: limits.home_requests_a_minute.values.anyone,
      }),
  });
  await documents.issueChanges();
  const changes = createKeyChanges({ clock, commit, limits, log, keyRing, documents });
  host.every('renew-home-document', 10 * minute, async () => {
    await documents.current();
  });
  // The signal arrives at once; the check covers a missed signal.
  const followDue = { known: changes.followAt };
  host.whenDue('follow-keys', 5 * second, followDue, changes.follow);
  const heard = bus.onSignal(
    'home_keys',
    () => void keyRing.refresh().catch((err: unknown) => log.warn({ err }, 'changed keys could not be read')),
  );
  host.onStop(async () => heard.stop());
  const parts = { clock, commit, database, limits, log, random, sealer, seals };
  const context: Context = { ...parts, home, keyRing, documents, changes };
  await host.serveRpcs(FederationService, import.meta.url, context);
  await host.serveRpcs(KeysService, import.meta.url, context);
  return keyRing;
}
