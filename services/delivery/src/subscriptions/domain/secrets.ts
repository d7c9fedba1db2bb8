import { createHash } from 'node:crypto';
import type { Sealer } from '@hearth/sealing';

/** Seals and opens the secrets by which subscriptions sign, each for its subscription alone. */
export function sealSecret(sealer: Sealer, subscription: string, bytes: Uint8Array): Buffer {
  return sealer.seal(bytes, contextOf(subscription));
}

export function openSecret(sealer: Sealer, subscription: string, sealed: Uint8Array): Buffer {
  return sealer.open(sealed, contextOf(subscription));
}

const contextOf = (subscription: string) => `subscription.secret:${subscription}`;

/**
 * uuid of the subscription of an AI to an event at an address: for ever the same for the same, over renewals, ends and
 * restarts.
 *
 * @param group uuid, the only argument that there is; null: none
 */
export function subscriptionId(of: { ai: string; url: string; name: string; group: string | null }): string {
  const args = of.group === null ? {} : { group: of.group };
  const key = JSON.stringify([of.ai, of.url, of.name, args]);
  const bytes = createHash('sha256').update(`hearth subscription ${key}`).digest().subarray(0, 16);
  // A uuid of version 8: its bits are the home's own.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
