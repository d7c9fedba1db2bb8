import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Clock, minute } from '@hearth/clock';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Client } from '@hearth/rpc';

/** {site_url}/.well-known/service.json: the signed document, byte for byte. */
export interface HomeDocument {
  json: string;
  /** Quoted, as the header has it. */
  etag: string;
}

interface Deps {
  federation: Pick<Client<typeof FederationService>, 'getHomeDocument'>;
  clock: Clock;
}

const keptMs = minute;

/** The home's document from federation, kept at most a minute; however many ask, federation is asked once. */
export function createHomeDocument({ federation, clock }: Deps): () => Promise<HomeDocument> {
  let kept: { document: HomeDocument; until: number } | undefined;
  let asking: Promise<HomeDocument> | undefined;

  async function ask(): Promise<HomeDocument> {
    const { json, etag, validUntil } = await federation.getHomeDocument({});
    const document = { json, etag: etag.startsWith('"') ? etag : `"${etag}"` };
    const endsAt = validUntil === undefined ? Number.POSITIVE_INFINITY : timestampMs(validUntil);
    kept = { document, until: Math.min(clock.now() + keptMs, endsAt) };
    return document;
  }

  return () => {
    if (kept !== undefined && kept.until > clock.now()) return Promise.resolve(kept.document);
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
