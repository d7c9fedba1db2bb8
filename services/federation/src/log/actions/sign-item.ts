import { type KeyPair, signRecord } from '@hearth/signing';
import type { KeyRing } from '../../signing/module.ts';
import type { SentItem } from '../db/sent-items.ts';
import { type Draft, itemOf, longestMs } from './item.ts';
import { ownDraft } from './own-draft.ts';

/** An item's destination, and the key that signs it. */
export interface Signing {
  home: string;
  destination: string;
  key: KeyPair;
  now: Date;
}

interface ItemNumber {
  epoch: number;
  seq: number;
}

/**
 * Numbers and signs a new item. Its times are never in the future, even if the event's clock was ahead: other
 * homes would refuse it.
 */
export function signedDraft(
  made: Draft,
  place: ItemNumber,
  { home, destination, key, now }: Signing,
): SentItem {
  const issuedAt = new Date(Math.min(made.issuedAt.getTime(), now.getTime()));
  const expiresAt = new Date(Math.min(made.expiresAt.getTime(), issuedAt.getTime() + longestMs));
  const draft = { ...made, issuedAt, expiresAt };
  const { event, id, rev, type, service } = draft;
  const item = itemOf(draft, { home, destination, seq: place.seq });
  const signed = JSON.stringify(signRecord(item, { key, typ: 'svc-envelope+jws' }));
  return {
    ...{ home: destination, ...place, event, id, rev, type, service, kid: key.kid, item: signed, expiresAt },
    createdAt: now,
  };
}

/** Returns this home's revoked keys, with which nothing may be sent. */
export function revokedKids({ keys }: KeyRing): ReadonlySet<string> {
  return new Set(keys.listed.filter(({ status }) => status === 'revoked').map(({ kid }) => kid));
}

/**
 * Returns an item re-signed and dated now, because the signing key may be younger than the item.
 *
 * @param lives whether it is valid as long as a new item; otherwise it keeps its expiry
 */
export function signedAgain(
  sent: SentItem,
  place: ItemNumber,
  { key, now }: Signing,
  lives: boolean,
): SentItem {
  const { signature: _, ...item } = JSON.parse(sent.item) as Record<string, unknown>;
  const expiresAt = lives ? new Date(now.getTime() + longestMs) : sent.expiresAt;
  const times = { issued_at: now.toISOString(), expires_at: expiresAt.toISOString() };
  const renewed = signRecord({ ...item, ...times, seq: place.seq }, { key, typ: 'svc-envelope+jws' });
  return { ...sent, ...place, kid: key.kid, item: JSON.stringify(renewed), expiresAt };
}

/** Returns the skip that replaces an item. @param event uuid */
export function skipOf(sent: SentItem, event: string, signing: Signing): SentItem {
  const draft = ownDraft('skip', event, {}, signing.now);
  return { ...signedDraft(draft, { epoch: sent.epoch, seq: sent.seq }, signing), event: sent.event };
}
