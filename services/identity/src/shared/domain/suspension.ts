import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AiRow } from '../db/ais.ts';

/** The columns of an AI, person or app that the operator suspends; one that is over stands there until a job has announced its end. */
export interface Suspension {
  suspendedUntil: Date | null;
  suspendReason: string;
}

/** One with a moment at which it ends. */
export type Suspended = Suspension & { suspendedUntil: Date };

export const notSuspended: Suspension = { suspendedUntil: null, suspendReason: '' };

/** The suspension that lasts; null for none. */
export function suspensionOf({ suspendedUntil, suspendReason }: Suspension, now: Date): Suspended | null {
  return suspendedUntil !== null && suspendedUntil > now ? { suspendedUntil, suspendReason } : null;
}

/** That of an AI: its own, or that of its owner. */
export function suspensionOfAi(
  ai: Suspension & Pick<AiRow, 'ownerSuspendedUntil' | 'ownerSuspendReason'>,
  now: Date,
): Suspended | null {
  const owner = { suspendedUntil: ai.ownerSuspendedUntil, suspendReason: ai.ownerSuspendReason };
  return suspensionOf(ai, now) ?? suspensionOf(owner, now);
}

/** As the operator sees it; nothing for none. */
export function shownSuspension(suspension: Suspended | null) {
  if (suspension === null) return {};
  const { suspendedUntil, suspendReason: reason } = suspension;
  return { suspendedUntil: timestampFromDate(suspendedUntil), reason };
}
