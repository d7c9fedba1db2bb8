import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Bus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { type Clock, minute } from '@hearth/clock';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Client } from '@hearth/rpc';

/** {site_url}/.well-known/service.json: the signed document, byte for byte. */
export interface HomeDocument {
  json: string;
  /** Quoted, as in the header. */
  etag: string;
}

interface Deps {
  federation: Pick<Client<typeof FederationService>, 'getHomeDocument'>;
  clock: Clock;
  bus: Pick<Bus, 'onReconnect' | 'onSignal'>;
}

const keptMs = minute;

/**
 * The home's document from federation, cached for up to a minute, or until the home's keys change. Concurrent requests
 * share one call (single flight).
 */
export function createHomeDocument({ federation, clock, bus }: Deps): () => Promise<HomeDocument> {
  const kept = createFactCache<HomeDocument>({ clock, max: 1, keptMs, bus, signals: ['home_keys'] });
  let asking: Promise<HomeDocument> | undefined;

  async function ask(): Promise<HomeDocument> {
    const keep = kept.keeper();
    const { json, etag, validUntil } = await federation.getHomeDocument({});
    const document = { json, etag: etag.startsWith('"') ? etag : `"${etag}"` };
    const endsAt = validUntil === undefined ? Number.POSITIVE_INFINITY : timestampMs(validUntil);
    keep('', document, Math.min(clock.now() + keptMs, endsAt));
    return document;
  }

  return () => {
    const document = kept.get('');
    if (document !== undefined) return Promise.resolve(document);
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
