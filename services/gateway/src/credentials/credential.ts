import { hash } from 'node:crypto';
import type { Caller } from '@hearth/rpc';

/** A credential that works, and who calls with it. */
export interface Credential {
  /** SHA-256 of the bearer credential in base64: names it where the credential itself must not be kept. */
  readonly digest: string;
  /** Names who calls: the digest, and whom an app acts for with it. What is kept for a caller is kept under it. */
  readonly key: string;
  readonly caller: Caller;
  /** What a token is for, by its address; absent for what is no token, and then is for everything here. */
  readonly audience?: string;
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** @param actingFor what Svc-Acting-For names; empty without it */
export function keyOf(digest: string, actingFor: string): string {
  return actingFor === '' ? digest : `${digest} ${actingFor}`;
}

/** Whose change ends what is known of a caller: uuids of themselves, their person, app and session, and their grant. */
export function namesOf({ id, person, app, session, grant }: Caller): string[] {
  return [...new Set([id, person, app, session, grant])].filter((name) => name !== '');
}
