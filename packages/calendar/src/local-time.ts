import { asTyped } from '@hearth/addresses';
import { badField, badRequest } from '@hearth/errors';
import { Temporal } from 'temporal-polyfill';

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** Whether a text is an existing day: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!day.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

/** The next day, for the end of an all-day event. @param text YYYY-MM-DD */
export function nextDay(text: string): string {
  return Temporal.PlainDate.from(text).add({ days: 1 }).toString();
}

/**
 * The instant (ISO 8601 with Z) of a local time in a zone.
 *
 * @param text YYYY-MM-DDTHH:MM
 * @throws bad_field if the text isn't a local time; bad_request (ambiguous_time) with both possible instants if clocks
 * in the zone skip or repeat that time
 */
export function instantOf(text: string, zone: string, field: string): string {
  const local = readLocal(text);
  if (local === null)
    throw badField(
      field,
      'must be a local time as YYYY-MM-DDTHH:MM, an instant with Z or an offset, or, where whole days are taken, YYYY-MM-DD',
    );
  const readings = ['earlier', 'later'].map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation: disambiguation as 'earlier' | 'later' }).toInstant(),
  );
  const [earlier, later] = readings as [Temporal.Instant, Temporal.Instant];
  if (earlier.equals(later)) return printInstant(earlier);
  const skipped = !earlier.toZonedDateTimeISO(zone).toPlainDateTime().equals(local);
  const words = skipped ? `the clocks of ${zone} skip ${text}` : `the clocks of ${zone} show ${text} twice`;
  throw badRequest(`${field}: ${words}; give another time, or one of the readings`, {
    code: 'ambiguous_time',
    field,
    readings: [printInstant(earlier), printInstant(later)],
  });
}

/** Converts an instant with an offset (Z or +02:00) to one with Z; null for any other text. */
export function readInstant(text: string): string | null {
  try {
    return printInstant(Temporal.Instant.from(text));
  } catch {
    return null;
  }
}

function readLocal(text: string): Temporal.PlainDateTime | null {
  // As people type it: a space instead of T, or full-width digits.
  const plain = asTyped(text).toUpperCase().replace(/ +/, 'T');
  if (!localTime.test(plain)) return null;
  try {
    return Temporal.PlainDateTime.from(plain, { overflow: 'reject' });
  } catch {
    return null;
  }
}

const printInstant = (instant: Temporal.Instant) => instant.toString({ smallestUnit: 'second' });
