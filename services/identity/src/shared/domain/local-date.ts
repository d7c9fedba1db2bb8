/** A calendar day in some time zone. */
export interface LocalDate {
  year: number;
  /** 1 to 12 */
  month: number;
  day: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day at `now` in an IANA time zone. */
export function localDate(now: Date, timeZone: string): LocalDate {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  return { year: parts.year as number, month: parts.month as number, day: parts.day as number };
}
