import { isDay } from '@hearth/calendar';
import { badField } from '@hearth/errors';
import { readTime } from '../../shared/domain/read-time.ts';
import type { Slot } from './offer.ts';

const minute = 60_000;
const day = 86_400_000;
const least = 5 * minute;
const hour = 60 * minute;

export interface Bounds {
  /** The zone of local times. */
  zone: string;
  /** Milliseconds since 1970. */
  now: number;
  /** How far ahead a time can be, in days. */
  aheadDays: number;
}

interface Given {
  startsAt: string;
  endsAt?: string | undefined;
}

/**
 * Reads the times of a new offer, earliest first.
 *
 * @throws bad_field for a time that is a duplicate, past, too far ahead, too short or too long; bad_request
 * (ambiguous_time)
 */
export function readSlots(slots: readonly Given[], bounds: Bounds): Slot[] {
  const read: Slot[] = [];
  for (const [index, given] of slots.entries()) {
    const { starts, ends } = readPeriod(given, hour, bounds, `slots[${index}].`);
    if (read.some((slot) => slot.starts === starts)) throw badField(`slots[${index}]`, 'is there twice');
    read.push({ starts, ends, meeting: null });
  }
  return read.sort((one, other) => one.starts - other.starts);
}

/** @param usualMs the length if no end is given @param prefix prefix of field names in errors, such as `slots[0].` */
export function readPeriod(
  { startsAt, endsAt }: Given,
  usualMs: number,
  { zone, now, aheadDays }: Bounds,
  prefix = '',
): { starts: number; ends: number } {
  const starts = readMoment(startsAt, zone, `${prefix}starts_at`);
  const ends = endsAt === undefined ? starts + usualMs : readMoment(endsAt, zone, `${prefix}ends_at`);
  if (starts <= now) throw badField(`${prefix}starts_at`, 'must be in the future');
  if (starts > now + aheadDays * day)
    throw badField(`${prefix}starts_at`, `must lie within ${aheadDays} days from now`);
  if (ends - starts < least || ends - starts > day)
    throw badField(`${prefix}ends_at`, 'must lie 5 minutes to 24 hours after starts_at');
  return { starts, ends };
}

/**
 * Reads an instant, or a local time in the zone, as milliseconds since 1970.
 *
 * @throws bad_field, bad_request (ambiguous_time)
 */
export function readMoment(text: string, zone: string, field: string): number {
  if (isDay(text)) throw badField(field, 'must have a time: YYYY-MM-DDTHH:MM');
  return Date.parse(readTime(text, zone, field));
}
