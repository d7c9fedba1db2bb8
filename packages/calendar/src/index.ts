export { type CalendarEvent, calendarFile } from './calendar-file.ts';
export { instantOf, isDay, nextDay, readInstant } from './local-time.ts';
export { localOf } from './time-zone.ts';
export { momentFor, momentWords, wordsOf, zoneWords } from './words.ts';
