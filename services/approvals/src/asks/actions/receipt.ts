import { hash } from 'node:crypto';
import { printId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import { LRUCache } from 'lru-cache';
import { base62Of } from '../domain/record.ts';

type Keys = Pick<Sealer, 'derive'>;

const keyCharacters = 22;

/** Whoever settles an approval needs its key twice at once; making one is no small part of the whole. */
const lately = new WeakMap<Keys, LRUCache<string, string>>();
const mostLately = 1_000;

/** The key of a record's receipt: made of the home's own secret, so that it can be shown again and is stored nowhere. */
function receiptKey(keys: Keys, record: string): string {
  const known = lately.get(keys) ?? new LRUCache<string, string>({ max: mostLately });
  lately.set(keys, known);
  const key = known.get(record) ?? base62Of(keys.derive('receipt', record), keyCharacters);
  known.set(record, key);
  return key;
}

export function receiptHash(keys: Keys, record: string): Buffer {
  return hash('sha256', receiptKey(keys, record), 'buffer');
}

/** The page by which anybody who has the link sees the signed answer. */
export function receiptLink(keys: Keys, siteUrl: string, record: string): string {
  return `${siteUrl}/r/${printId('rec', record)}?k=${receiptKey(keys, record)}`;
}

/** The key of the link in an e-mail to one of those who are asked. */
export function mailKey(keys: Keys, approval: string, position: number): string {
  return base62Of(keys.derive('approval mail', `${approval}:${position}`), keyCharacters);
}

export function mailKeyHash(keys: Keys, approval: string, position: number): Buffer {
  return hash('sha256', mailKey(keys, approval, position), 'buffer');
}

/** The page of an ask: for people who are signed in, and with a key for who was written to by mail. */
export function askLink(siteUrl: string, approval: string, key?: string): string {
  return `${siteUrl}${askPath(approval)}${key === undefined ? '' : `?k=${key}`}`;
}

export function askPath(approval: string): string {
  return `/a/${printId('apr', approval)}`;
}
