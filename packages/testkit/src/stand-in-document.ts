import { exportPublicJwk, type JsonObject, type KeyPair, signRecord } from '@hearth/signing';

const hour = 3_600_000;

/**
 * The document of a stand-in home, valid for a day.
 *
 * @param keys the first one signs, the others are retired
 */
export function standInDocument(
  home: string,
  keys: readonly [KeyPair, ...KeyPair[]],
  requestsAMinute: number,
): string {
  const now = Date.now();
  const iso = (ms: number) => new Date(now + ms).toISOString();
  const content = {
    ...{ v: 1, home, doc_seq: Math.floor(now / 1_000), issued_at: iso(0), valid_until: iso(24 * hour) },
    federation: {
      ...{ endpoint: `http://${home}/federation`, versions: ['1'], mode: 'open' },
      limits: {
        ...{ max_request: 262_144, max_item: 65_536, max_items: 200, max_at_once: 4 },
        requests_a_minute: requestsAMinute,
      },
    },
    keys: keys.map((key, index) => ({
      ...{ ...exportPublicJwk(key), uses: ['record', 'request'], not_before: iso(-hour) },
      ...(index === 0 ? { status: 'active' } : { status: 'retired', not_after: iso(hour) }),
    })),
  };
  return JSON.stringify(signRecord(content as JsonObject, { key: keys[0], typ: 'svc-home+jws' }));
}
