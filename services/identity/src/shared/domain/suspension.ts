import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { type Limits, sizeOf } from '@hearth/limits';
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

/** The suspension that a request asks for. @param instead the words for what ends it for good @throws bad_field for a moment that is over, or too far away */
export function readSuspension(
  limits: Limits,
  { until, reason }: { until?: Timestamp | undefined; reason: string },
  now: Date,
  instead = '',
): Suspension & { suspendedUntil: Date } {
  const days = sizeOf(limits, 'suspension_days');
  const end = until === undefined ? now : timestampDate(until);
  if (end <= now || end.getTime() > now.getTime() + days * day)
    throw badField('until', `must be in the future, at most ${days} days${instead}`);
  return { suspendedUntil: end, suspendReason: reason };
}
