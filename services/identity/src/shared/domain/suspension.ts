import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AiRow } from '../db/ais.ts';

/**
 * Suspension columns of an AI, person or app. An expired suspension stays until a job has announced its end.
 */
export interface Suspension {
  suspendedUntil: Date | null;
  suspendReason: string;
}

/** A suspension with an end. */
export type Suspended = Suspension & { suspendedUntil: Date };

export const notSuspended: Suspension = { suspendedUntil: null, suspendReason: '' };

/** The suspension in force, or null. */
export function suspensionOf({ suspendedUntil, suspendReason }: Suspension, now: Date): Suspended | null {
  return suspendedUntil !== null && suspendedUntil > now ? { suspendedUntil, suspendReason } : null;
}

/** The AI's suspension in force, its own or its owner's. */
export function suspensionOfAi(
  ai: Suspension & Pick<AiRow, 'ownerSuspendedUntil' | 'ownerSuspendReason'>,
  now: Date,
): Suspended | null {
  const owner = { suspendedUntil: ai.ownerSuspendedUntil, suspendReason: ai.ownerSuspendReason };
  return suspensionOf(ai, now) ?? suspensionOf(owner, now);
}

/** The fields the operator sees; none without a suspension. */
export function shownSuspension(suspension: Suspended | null) {
  if (suspension === null) return {};
  const { suspendedUntil, suspendReason: reason } = suspension;
  return { suspendedUntil: timestampFromDate(suspendedUntil), reason };
}
