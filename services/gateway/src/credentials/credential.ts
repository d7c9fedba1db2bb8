import { hash } from 'node:crypto';
import type { Caller } from '@hearth/rpc';

/** A credential that works, and who calls with it. */
export interface Credential {
  /** SHA-256 of the bearer credential in base64: names it where the credential itself must not be kept. */
  readonly digest: string;
  readonly caller: Caller;
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
