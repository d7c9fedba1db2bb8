export { type CalendarEvent, calendarFile } from './calendar-file.ts';
export { instantOf, isDay, nextDay, readInstant, wordsOf } from './local-time.ts';
