import type { Problem } from './faults.ts';
import { instantOf } from './instant.ts';
import type { PublicJwk } from './keys.ts';
import type { RecordType } from './record-types.ts';

export type KeyStatus = 'active' | 'next' | 'retired' | 'revoked';

/** A key in a home's document. Times are ISO 8601 in UTC; absent and null mean the same. */
export interface ListedKey extends PublicJwk {
  /** `record`, `request`, `recovery`. A list, unlike `use` of RFC 7517. */
  uses?: readonly string[];
  status?: KeyStatus;
  not_before?: string | null;
  not_after?: string | null;
  revoked_at?: string | null;
}

const usesFor: Readonly<Record<RecordType, readonly string[]>> = {
  'svc-card+jws': ['record'],
  'svc-record+jws': ['record'],
  'svc-envelope+jws': ['record'],
  'svc-home+jws': ['record', 'recovery'],
  'svc-key+jws': ['record'],
};

/** True if the key is listed for signatures of this type. Otherwise it counts as unknown. */
export function isListedFor({ uses }: ListedKey, typ: RecordType): boolean {
  return Array.isArray(uses) && usesFor[typ].some((use) => uses.includes(use));
}

/**
 * Returns why this key can't vouch for something signed `at` this time (nanoseconds since 1970), or null if it can. A
 * revoked key never counts, because a thief can write any date.
 */
export function keyProblemAt(key: ListedKey, at: bigint): Problem | null {
  const { status, not_before, not_after, revoked_at } = key;
  if (status === 'revoked' || isGiven(revoked_at))
    return { fault: 'key_revoked', words: 'the key was revoked' };
  if (status !== 'active' && status !== 'retired')
    return { fault: 'key_early', words: 'the key is listed as one that signs nothing yet' };
  const start = instantOf(not_before);
  const end = instantOf(not_after);
  if (start === null)
    return { fault: 'key_form', words: 'the key is listed without a time, or with one that cannot be read' };
  if (isGiven(not_after) && end === null)
    return { fault: 'key_form', words: 'the key is listed with a time that cannot be read' };
  if (at < start) return { fault: 'key_early', words: 'the key was not valid yet when this was issued' };
  if (end !== null && at >= end)
    return { fault: 'key_ended', words: 'the key was not valid any more when this was issued' };
  if (status === 'retired' && end === null)
    return { fault: 'key_ended', words: 'the key is retired and its end is not listed' };
  return null;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
