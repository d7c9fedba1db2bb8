import { hash } from 'node:crypto';
import type { Caller } from '@hearth/rpc';

/** A valid credential and its caller. */
export interface Credential {
  /** SHA-256 of the bearer credential, in base64; stands for it where the credential itself must not be kept. */
  readonly digest: string;
  /** The cache key of the caller: the digest, and the person or AI that an app acts for. */
  readonly key: string;
  readonly caller: Caller;
  /** The audience of a token; absent for a key, which is valid for every resource. */
  readonly audience?: string;
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** @param actingFor the id in Svc-Acting-For, or empty */
export function keyOf(digest: string, actingFor: string): string {
  return actingFor === '' ? digest : `${digest} ${actingFor}`;
}

/** The uuids whose changes evict the caller: the caller, their person, app, session and grant. */
export function namesOf({ id, person, app, session, grant }: Caller): string[] {
  return [...new Set([id, person, app, session, grant])].filter((name) => name !== '');
}
