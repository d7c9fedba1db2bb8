import { hash } from 'node:crypto';

/** A uuid for the result of an act, the same each time: a result is numbered once. */
export function actEvent(act: string): string {
  const hex = hash('sha256', `result ${act}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
