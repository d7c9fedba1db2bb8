import type { AiRow } from '../db/ais.ts';

/** Whether the operator's suspension lasts; one that is over stands in the row until the job has announced its end. */
export function isSuspended({ suspendedUntil }: Pick<AiRow, 'suspendedUntil'>, now: Date): boolean {
  return suspendedUntil !== null && suspendedUntil > now;
}
