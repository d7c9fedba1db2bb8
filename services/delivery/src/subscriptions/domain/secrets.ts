import { createHash } from 'node:crypto';
import type { Sealer } from '@hearth/sealing';

/** Seals the signing secret of a subscription, bound to that subscription. */
export function sealSecret(sealer: Sealer, subscription: string, bytes: Uint8Array): Buffer {
  return sealer.seal(bytes, contextOf(subscription));
}

export function openSecret(sealer: Sealer, subscription: string, sealed: Uint8Array): Buffer {
  return sealer.open(sealed, contextOf(subscription));
}

const contextOf = (subscription: string) => `subscription.secret:${subscription}`;

/**
 * Returns the uuid of an AI's subscription to an event at an address: derived from them, so that it survives
 * renewals, ends and restarts.
 *
 * @param group uuid, the only argument there is; null for none
 */
export function subscriptionId(of: { ai: string; url: string; name: string; group: string | null }): string {
  const args = of.group === null ? {} : { group: of.group };
  const key = JSON.stringify([of.ai, of.url, of.name, args]);
  const bytes = createHash('sha256').update(`hearth subscription ${key}`).digest().subarray(0, 16);
  // A version 8 uuid, whose other bits are free to choose.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
