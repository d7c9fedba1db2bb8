import { AgeBand } from '@hearth/proto/identity/v1/resources';

/**
 * The certain age band of a person born in that month: a year counts from the month after the birthday.
 * Identity decides in the end, by the calendar of the home's time zone.
 *
 * @param birthYearMonth YYYY-MM
 */
export function bandOfBirth(birthYearMonth: string, now: Date): AgeBand {
  const [year = 0, month = 0] = birthYearMonth.split('-').map(Number);
  const months = (now.getUTCFullYear() - year) * 12 + (now.getUTCMonth() + 1 - month);
  const age = Math.floor((months - 1) / 12);
  if (age >= 18) return AgeBand.ADULT;
  if (age >= 16) return AgeBand.TEEN16;
  return age >= 13 ? AgeBand.TEEN13 : AgeBand.CHILD;
}
