import { timeIn } from '@hearth/calendar';
import { type Language, type Text, t } from '@hearth/i18n';
import type { OfferRow } from '../db/offers.ts';

const mostShown = 20;

/** An offer as message text: the first times, one per line, and how to book. */
export function offerText(
  { slots, time_zone: zone, place, note }: Pick<OfferRow, 'slots' | 'time_zone' | 'place' | 'note'>,
  book: Text,
  { words }: Language,
): string {
  const times = slots.slice(0, mostShown).map(({ starts }) => timeOf(starts, zone));
  const more =
    slots.length > mostShown ? [t('meetings.message.more', { count: slots.length - mostShown })] : [];
  return [t('meetings.message.times', { zone }), ...times, ...more, place ?? '', note ?? '', book]
    .map(words)
    .filter((line) => line !== '')
    .join('\n');
}

/** A time in words and as an instant. */
export function timeOf(at: number, zone: string): Text {
  const instant = new Date(at).toISOString();
  return t('meetings.message.time', { time: timeIn(instant, zone), instant: instant.replace('.000Z', 'Z') });
}
