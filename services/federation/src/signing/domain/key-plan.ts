import { badRequest, notFound } from '@hearth/errors';
import type { KeyRow } from '../db/keys.ts';

/**
 * The steps of the home's keys: next, active, retired, revoked, and never back. Each function answers the rows that change,
 * as they are afterwards. A kid never leaves the home's document, so that their number has a bound.
 */

/** As many as a reader takes (`mostDocumentKeys` of packages/signing). */
const mostKeys = 150;

/** For so long a revoked key still signs home documents: for homes that know no other key, its own word ends it. */
const lastWordMs = 7 * 86_400_000;

export const isRecovery = (key: Pick<KeyRow, 'uses'>) => key.uses.includes('recovery');

/** The keys that sign records, the one that signs them now first. */
export function activeKeys(keys: readonly KeyRow[]): KeyRow[] {
  const active = keys.filter((key) => key.status === 'active' && !isRecovery(key));
  return active.sort((a, b) => since(b) - since(a));
}

/** The recovery keys by which a home document may be signed. */
export function recoveryKeys(keys: readonly KeyRow[]): KeyRow[] {
  return keys.filter((key) => key.status === 'active' && isRecovery(key));
}

function nextKey(keys: readonly KeyRow[]): KeyRow | undefined {
  return keys.find((key) => key.status === 'next');
}

/** The moment from which a listed key signs, or an older one ceases to, by time alone; null for all others. */
export function changesAt(keys: readonly KeyRow[], key: KeyRow, overlapMs: number): Date | null {
  if (key.status === 'next') return new Date(key.createdAt.getTime() + overlapMs);
  const [current, ...older] = activeKeys(keys);
  return current !== undefined && older.includes(key) ? new Date(since(current) + overlapMs) : null;
}

/** When time alone changes a key next; undefined for never. */
export function nextChange(keys: readonly KeyRow[], overlapMs: number): number | undefined {
  const moments = keys.flatMap((key) => {
    const over =
      key.revokedAt !== null && key.sealedSeed !== null ? [key.revokedAt.getTime() + lastWordMs] : [];
    const at = changesAt(keys, key, overlapMs);
    return [...over, ...(at === null ? [] : [at.getTime()])];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** Time alone: a next key becomes active, an older active one retires, the secret of one revoked long ago is forgotten. */
export function due(keys: readonly KeyRow[], now: Date, overlapMs: number): KeyRow[] {
  const changed = keys.flatMap((key): KeyRow[] => {
    const at = changesAt(keys, key, overlapMs);
    if (at !== null && at <= now)
      return [key.status === 'next' ? activated(key, keys, now) : retired(key, now)];
    const over = key.revokedAt !== null && key.revokedAt.getTime() + lastWordMs <= now.getTime();
    return over && key.sealedSeed !== null ? [{ ...key, sealedSeed: null }] : [];
  });
  return changed;
}

/** A new signing key, listed ahead or signing at once. @throws bad_request while one is listed as the next */
export function rotated(keys: readonly KeyRow[], fresh: KeyRow, now: Date, atOnce: boolean): KeyRow[] {
  const next = nextKey(keys);
  if (next === undefined) requireRoom(keys);
  if (atOnce) return [activated(next ?? fresh, keys, now)];
  if (next !== undefined) {
    throw badRequest(
      `the key ${next.kid} is listed as the next one already and will sign by itself; it signs at once with now (hearth key rotate --now)`,
      {
        code: 'already_settled',
      },
    );
  }
  return [{ ...fresh, status: 'next' }];
}

/** A recovery key in place of those before. */
export function recoveryReplaced(keys: readonly KeyRow[], fresh: KeyRow, now: Date): KeyRow[] {
  requireRoom(keys);
  return [activated(fresh, keys, now), ...recoveryKeys(keys).map((key) => retired(key, now))];
}

/** The key vouches for nothing any more. In place of the one that signs now, and of a recovery key, another counts at once. */
export function revoked(keys: readonly KeyRow[], kid: string, fresh: KeyRow, now: Date): KeyRow[] {
  const key = keys.find((one) => one.kid === kid);
  if (key === undefined) throw notFound();
  if (key.status === 'revoked') throw badRequest('this key is revoked', { code: 'already_settled' });
  const gone: KeyRow = {
    ...key,
    status: 'revoked',
    revokedAt: now,
    sealedSeed: key.status === 'active' ? key.sealedSeed : null,
  };
  const signsNow = activeKeys(keys)[0] === key;
  if (!signsNow && !(isRecovery(key) && key.status === 'active')) return [gone];
  const next = isRecovery(key) ? undefined : nextKey(keys);
  if (next === undefined) requireRoom(keys);
  return [gone, activated(next ?? fresh, keys, now)];
}

const since = (key: KeyRow) => (key.activatedAt ?? key.notBefore).getTime();
/** The key that was activated last signs, also where the clock was set back since the one before. */
function activated(key: KeyRow, keys: readonly KeyRow[], now: Date): KeyRow {
  const after = Math.max(now.getTime(), ...activeKeys(keys).map((one) => since(one) + 1));
  return { ...key, status: 'active', activatedAt: new Date(after) };
}
const retired = (key: KeyRow, now: Date): KeyRow => ({
  ...key,
  status: 'retired',
  notAfter: now,
  sealedSeed: null,
});

function requireRoom(keys: readonly KeyRow[]): void {
  if (keys.length >= mostKeys) {
    throw badRequest(`a home has at most ${mostKeys} keys in its life, and each stays listed`, {
      code: 'cap_reached',
    });
  }
}
