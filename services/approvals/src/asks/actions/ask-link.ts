import { hash } from 'node:crypto';
import { base62Of } from '@hearth/receipts';
import type { Sealer } from '@hearth/sealing';
import { askPath } from '../domain/events.ts';

type Keys = Pick<Sealer, 'derive'>;

const keyCharacters = 22;

/** The key in the link that is mailed to a recipient. */
export function mailKey(keys: Keys, approval: string, position: number): string {
  return base62Of(keys.derive('approval mail', `${approval}:${position}`), keyCharacters);
}

export function mailKeyHash(keys: Keys, approval: string, position: number): Buffer {
  return hash('sha256', mailKey(keys, approval, position), 'buffer');
}

/**
 * The link to the page of an ask. With a key it works for a recipient by email; without one the viewer has
 * to sign in.
 */
export function askLink(siteUrl: string, approval: string, key?: string): string {
  return `${siteUrl}${askPath(approval)}${key === undefined ? '' : `?k=${key}`}`;
}
