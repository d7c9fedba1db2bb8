import { instantOf, isDay, readInstant } from '@hearth/calendar';
import { badField, timeZoneNeeded } from '@hearth/errors';
import type { NewPlanOption } from '@hearth/proto/decisions/v1/plans';
import { requireAhead } from '../../shared/domain/read-time.ts';
import { isSame } from './machine.ts';
import { endOf, type Option } from './plan.ts';

type Given = Pick<NewPlanOption, 'label' | 'startsAt' | 'endsAt' | 'date'>;

const hourMs = 3_600_000;

/**
 * Reads the options of a new plan.
 *
 * @param zone the zone for its times; null if unknown
 * @param now milliseconds since 1970
 * @throws bad_field if an option is a duplicate, past, or without a time; bad_request (time_zone_needed,
 * ambiguous_time)
 */
export function readOptions(options: readonly Given[], zone: string | null, now: number): Option[] {
  const read: Option[] = [];
  for (const [index, given] of options.entries()) {
    const option = readOption(given, zone, now, `options[${index}].`);
    if (read.some((one) => isSame(one, option))) throw badField(`options[${index}]`, 'is there twice');
    read.push({ id: index + 1, ...option });
  }
  return read;
}

/** @param prefix prefix of field names in errors, such as `options[0].` */
export function readOption(
  { label = '', startsAt, endsAt, date }: Given,
  zone: string | null,
  now: number,
  prefix = '',
): Omit<Option, 'id'> {
  if (date !== undefined) {
    if (startsAt !== undefined || endsAt !== undefined)
      throw badField(`${prefix}date`, 'is for a whole day: give it, or starts_at and ends_at');
    if (!isDay(date)) throw badField(`${prefix}date`, 'must be a day as YYYY-MM-DD that the calendar has');
    const day = { label, starts: date, ends: null };
    requireAhead(endOf(day), now, `${prefix}date`);
    return day;
  }
  if (startsAt === undefined)
    throw badField(`${prefix}starts_at`, 'must be given, with ends_at; or date for a whole day');
  if (zone === null) throw timeZoneNeeded();
  const time = (text: string, name: string) => readInstant(text) ?? instantOf(text, zone, `${prefix}${name}`);
  const starts = time(startsAt, 'starts_at');
  requireAhead(Date.parse(starts), now, `${prefix}starts_at`);
  if (endsAt === undefined) return { label, starts, ends: later(starts) };
  const ends = time(endsAt, 'ends_at');
  if (Date.parse(ends) <= Date.parse(starts)) throw badField(`${prefix}ends_at`, 'must lie after the start');
  requireAhead(Date.parse(ends), now, `${prefix}ends_at`);
  return { label, starts, ends };
}

const later = (starts: string) => new Date(Date.parse(starts) + hourMs).toISOString().replace('.000Z', 'Z');
