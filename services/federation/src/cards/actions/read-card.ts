import { type JsonObject, parseInstant, readClaimedKid } from '@hearth/signing';

export interface ClaimedCard {
  card: JsonObject;
  kid: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
  validUntil: number;
}

const mostAheadMs = 300_000;

/**
 * Checks the form of a card of that home, before its signature is verified; returns a sentence with the
 * problem if it is malformed. Its address may differ from the one asked for if an AI has moved.
 */
export function readCard(
  value: JsonObject | null,
  { home, now }: { home: string; now: number },
): ClaimedCard | string {
  if (value?.['type'] !== 'card') return 'it answered with something that is no card';
  if (value['home'] !== home || !/^[@&][^@]+$/.test(String(value['address'])))
    return 'it answered with a card that is not of an address there';
  const kid = readClaimedKid(value['signature']);
  const [issuedAt, validUntil] = [parseInstant(value['issued_at']), parseInstant(value['valid_until'])];
  if (kid === null || issuedAt === null || validUntil === null)
    return 'it answered with a card that it did not sign';
  if (issuedAt > now + mostAheadMs || validUntil <= now)
    return 'it answered with a card that does not count now';
  return { card: value, kid, issuedAt, validUntil };
}
