import { hash } from 'node:crypto';
import { printId } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import { digest } from '@hearth/signing';
import { LRUCache } from 'lru-cache';
import { base62Of } from './base62.ts';

type Keys = Pick<Sealer, 'derive'>;

const keyCharacters = 22;

/** Settling needs an approval's key twice in quick succession, and the derivation is a large part of its cost. */
const caches = new WeakMap<Keys, LRUCache<string, string>>();
const mostKeys = 1_000;

/**
 * Derives the key of a record's receipt from the home's secret, so the link can be shown again without being stored.
 */
function receiptKey(keys: Keys, record: string): string {
  const cache = caches.get(keys) ?? new LRUCache<string, string>({ max: mostKeys });
  caches.set(keys, cache);
  const key = cache.get(record) ?? base62Of(keys.derive('receipt', record), keyCharacters);
  cache.set(record, key);
  return key;
}

export function receiptHash(keys: Keys, record: string): Buffer {
  return hash('sha256', receiptKey(keys, record), 'buffer');
}

/** The digest of a signed record, as the next record's `prev` has it. */
export function digestOf(json: string): string {
  const { signature: _, co_signatures: __, ...body } = JSON.parse(json);
  return digest(body);
}

/** The URL of the page that shows the signed answer to everyone with the link. */
export function receiptLink(keys: Keys, siteUrl: string, record: string): string {
  return `${siteUrl}/r/${printId('rec', record)}?k=${receiptKey(keys, record)}`;
}
