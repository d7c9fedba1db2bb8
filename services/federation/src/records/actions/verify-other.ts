import { type JsonObject, recordTypes, verifyRecord } from '@hearth/signing';
import type { Context } from '../context.ts';
import { verdictOn } from '../domain/verdict.ts';
import type { Claims } from './claims.ts';

/**
 * Verifies a record of another home, with that home's stored or freshly fetched keys.
 *
 * @param network as for `recordKeys`
 */
export async function verifyOther(
  { clock, homes }: Pick<Context, 'clock' | 'homes'>,
  record: JsonObject,
  claims: Claims & { home: string },
  network: string,
) {
  const { home, kid } = claims;
  // Without a named key, no home is asked.
  const had = kid === null ? { keys: [] } : await homes.recordKeys(home, kid, network);
  const found = verifyRecord(record, {
    expectedType: typeOf(claims),
    home,
    keys: had.keys,
    now: clock.now(),
  });
  return verdictOn(found, had);
}

export const typeOf = ({ typ }: Claims) => recordTypes.find((each) => each === typ) ?? 'svc-record+jws';
