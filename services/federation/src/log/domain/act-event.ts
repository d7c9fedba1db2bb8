import { hash } from 'node:crypto';

/** Returns a uuid for the result of an act, derived from it, so that a result is numbered once. */
export function actEvent(act: string): string {
  const hex = hash('sha256', `result ${act}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
