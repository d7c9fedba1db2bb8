export { type CalendarEvent, calendarFile } from './calendar-file.ts';
export { instantOf, isDay, nextDay, readInstant, wordsOf } from './local-time.ts';
export { zoneNamed } from './time-zone.ts';
