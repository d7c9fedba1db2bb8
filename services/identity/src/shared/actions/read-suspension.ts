import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { type Limits, sizeOf } from '@hearth/limits';
import type { Suspended } from '../domain/suspension.ts';

/**
 * Reads a requested suspension.
 *
 * @param instead a hint on how to end the subject for good
 * @throws bad_field if the time is past or too far away
 */
export function readSuspension(
  limits: Limits,
  { until, reason }: { until?: Timestamp | undefined; reason: string },
  now: Date,
  instead = '',
): Suspended {
  const days = sizeOf(limits, 'suspension_days');
  const end = until === undefined ? now : timestampDate(until);
  if (end <= now || end.getTime() > now.getTime() + days * day)
    throw badField('until', `must be in the future, at most ${days} days${instead}`);
  return { suspendedUntil: end, suspendReason: reason };
}
