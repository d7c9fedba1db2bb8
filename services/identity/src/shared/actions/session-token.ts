import { hash } from 'node:crypto';
import { day } from '@hearth/clock';
import type { Ids } from '@hearth/ids';

/** What a browser, or a guest's program, holds of a session. Stored is its hash alone. */
export interface SessionToken {
  text: string;
  /** SHA-256 of the text. */
  hash: Buffer;
}

/** By which people and secret scanners know such a token. */
const tokenPrefix = 'hearth_ps_';
const secretLength = 43;

/** For so long a sign-in lasts. */
export const sessionMs = 90 * day;
/** Guests have no other way back into their account. */
export const guestSessionMs = 365 * day;

export function newSessionToken(ids: Pick<Ids, 'token'>): SessionToken {
  const text = `${tokenPrefix}${ids.token(secretLength)}`;
  return { text, hash: hash('sha256', text, 'buffer') };
}
