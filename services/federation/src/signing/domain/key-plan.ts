import { badRequest, notFound } from '@hearth/errors';
import type { KeyRow } from '../db/keys.ts';

/**
 * The life of the home's keys: next, active, retired, revoked, never backwards. Each function returns the
 * changed rows. A kid never leaves the home's document, so the number of keys is limited.
 */

/** As many as readers accept (`mostDocumentKeys` of packages/signing). */
const mostKeys = 150;

/**
 * How long a revoked key still signs home documents: homes that know no other key trust only its own
 * signature on the revocation.
 */
const lastWordMs = 7 * 86_400_000;

export const isRecovery = (key: Pick<KeyRow, 'uses'>) => key.uses.includes('recovery');

/** Returns the keys that sign records, the current one first. */
export function activeKeys(keys: readonly KeyRow[]): KeyRow[] {
  const active = keys.filter((key) => key.status === 'active' && !isRecovery(key));
  return active.sort((a, b) => since(b) - since(a));
}

/** Returns the recovery keys that may sign a home document. */
export function recoveryKeys(keys: readonly KeyRow[]): KeyRow[] {
  return keys.filter((key) => key.status === 'active' && isRecovery(key));
}

function nextKey(keys: readonly KeyRow[]): KeyRow | undefined {
  return keys.find((key) => key.status === 'next');
}

/**
 * Returns when a key changes by time alone: a next key becomes active, an older active key retires; null for
 * other keys.
 */
export function changesAt(keys: readonly KeyRow[], key: KeyRow, overlapMs: number): Date | null {
  if (key.status === 'next') return new Date(key.createdAt.getTime() + overlapMs);
  const [current, ...older] = activeKeys(keys);
  return current !== undefined && older.includes(key) ? new Date(since(current) + overlapMs) : null;
}

/** Returns when a key next changes by time alone; undefined for never. */
export function nextChange(keys: readonly KeyRow[], overlapMs: number): number | undefined {
  const moments = keys.flatMap((key) => {
    const over =
      key.revokedAt !== null && key.sealedSeed !== null ? [key.revokedAt.getTime() + lastWordMs] : [];
    const at = changesAt(keys, key, overlapMs);
    return [...over, ...(at === null ? [] : [at.getTime()])];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/**
 * Applies time-based changes: a next key becomes active, an older active key retires, and the secret of a key
 * revoked long ago is deleted.
 */
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

/** Adds a new signing key, as the next key or active at once. @throws bad_request while there is a next key */
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

/** Replaces the recovery keys. */
export function recoveryReplaced(keys: readonly KeyRow[], fresh: KeyRow, now: Date): KeyRow[] {
  requireRoom(keys);
  return [activated(fresh, keys, now), ...recoveryKeys(keys).map((key) => retired(key, now))];
}

/** Revokes a key. If it is the current signing key or a recovery key, a replacement becomes active at once. */
export function revoked(keys: readonly KeyRow[], kid: string, fresh: KeyRow, now: Date): KeyRow[] {
  const key = keys.find((row) => row.kid === kid);
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
/** The most recently activated key signs, even if the clock was set back in between. */
function activated(key: KeyRow, keys: readonly KeyRow[], now: Date): KeyRow {
  const after = Math.max(now.getTime(), ...activeKeys(keys).map((row) => since(row) + 1));
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
