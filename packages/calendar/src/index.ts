export { type CalendarEvent, calendarFile } from './calendar-file.ts';
export { englishSummary, type SummedAnswer } from './decision-summary.ts';
export { instantOf, isDay, nextDay, readInstant } from './local-time.ts';
export { dayIn, momentFor, momentIn, timeIn, zoneWords } from './moments.ts';
export { localOf } from './time-zone.ts';
