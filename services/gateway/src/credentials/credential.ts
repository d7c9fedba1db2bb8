import { hash } from 'node:crypto';
import type { Caller } from '@hearth/rpc';

/** A credential that works, with its caller. */
export interface Credential {
  /** SHA-256 of the bearer credential in base64: names it where the credential itself must not be kept. */
  readonly digest: string;
  /** Names the caller: the digest, and the person or AI that an app acts for with it. Caches of a caller have it as their key. */
  readonly key: string;
  readonly caller: Caller;
  /** The address that a token is for; absent for a key, which is good for everything here. */
  readonly audience?: string;
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** @param actingFor the id of Svc-Acting-For; empty without it */
export function keyOf(digest: string, actingFor: string): string {
  return actingFor === '' ? digest : `${digest} ${actingFor}`;
}

/** A change of one of these evicts the caller: uuids of themselves, their person, app and session, and their grant. */
export function namesOf({ id, person, app, session, grant }: Caller): string[] {
  return [...new Set([id, person, app, session, grant])].filter((name) => name !== '');
}
