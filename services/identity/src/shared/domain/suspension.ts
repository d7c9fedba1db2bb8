import type { AiRow } from '../db/ais.ts';

/** The columns of an AI, person or app that the operator suspends; one that is over stands there until a job has announced its end. */
export interface Suspension {
  suspendedUntil: Date | null;
  suspendReason: string;
}

export const notSuspended: Suspension = { suspendedUntil: null, suspendReason: '' };

/** The suspension that lasts; null for none. */
export function suspensionOf<Of extends Suspension>(
  of: Of,
  now: Date,
): (Of & { suspendedUntil: Date }) | null {
  const { suspendedUntil } = of;
  return suspendedUntil !== null && suspendedUntil > now ? { ...of, suspendedUntil } : null;
}

/** That of an AI: its own, or that of its owner. */
export function suspensionOfAi(
  ai: Suspension & Pick<AiRow, 'ownerSuspendedUntil' | 'ownerSuspendReason'>,
  now: Date,
): (Suspension & { suspendedUntil: Date }) | null {
  const owner = { suspendedUntil: ai.ownerSuspendedUntil, suspendReason: ai.ownerSuspendReason };
  const { suspendedUntil, suspendReason } = ai;
  return suspensionOf({ suspendedUntil, suspendReason }, now) ?? suspensionOf(owner, now);
}
