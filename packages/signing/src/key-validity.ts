import type { PublicJwk } from './keys.ts';

export type KeyStatus = 'active' | 'next' | 'retired' | 'revoked';

/**
 * A key as a home's document (`not_before`, `not_after`, `revoked_at`) or a card (`from`, `until`)
 * lists it. Times are ISO 8601 in UTC.
 */
export interface ListedKey extends PublicJwk {
  status?: KeyStatus;
  not_before?: string | null;
  not_after?: string | null;
  revoked_at?: string | null;
  from?: string | null;
  until?: string | null;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Milliseconds since 1970 of an ISO 8601 time in UTC with its `Z`, else null. */
export function parseInstant(text: unknown): number | null {
  if (typeof text !== 'string' || !instant.test(text)) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return null;
  // Date.parse makes 2 March of 30 February, which another reader would refuse.
  return new Date(time).toISOString().startsWith(text.slice(0, 19)) ? time : null;
}

/**
 * Why this key does not vouch for what was signed at that moment, or null when it does.
 * `at` null leaves time aside; a revoked key then never counts. `allowRevoked` lets a revoked key
 * count for moments before its revocation: only for a moment that the caller knows from elsewhere,
 * since whoever took the key can write any date into a record.
 */
export function keyProblemAt(key: ListedKey, at: number | null, allowRevoked: boolean): string | null {
  if (key.status === 'revoked' || isGiven(key.revoked_at)) {
    const revokedAt = parseInstant(key.revoked_at);
    const stillGood = allowRevoked && at !== null && revokedAt !== null && at < revokedAt;
    if (!stillGood) return 'the key was revoked';
  }
  if (at === null) return null;
  return windowProblem(key, at);
}

function windowProblem(key: ListedKey, at: number): string | null {
  const startText = key.not_before ?? key.from;
  const endText = key.not_after ?? key.until;
  const start = parseInstant(startText);
  const end = parseInstant(endText);
  if ((isGiven(startText) && start === null) || (isGiven(endText) && end === null)) {
    return 'the key is listed with a time that cannot be read';
  }
  if (start !== null && at < start) return 'the key was not valid yet when this was issued';
  if (end !== null && at >= end) return 'the key was not valid any more when this was issued';
  if (key.status === 'retired' && end === null) return 'the key is retired and its end is not listed';
  return null;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
