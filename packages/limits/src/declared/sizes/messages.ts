import { declareSizes, tenYearsInDays, yearInMinutes } from '../declaration.ts';

export const messageSizes = declareSizes({
  description_characters: { meaning: 'length of a description', unit: 'characters', value: 140, fixed: true },
  wait_seconds: { meaning: 'longest time a request is held open', unit: 'seconds', value: 30, fixed: true },
  message_text_characters: {
    meaning: 'length of a message',
    unit: 'characters',
    value: 8_000,
    inBody: true,
  },
  message_title_characters: { meaning: 'length of a title', unit: 'characters', value: 140, inBody: true },
  message_data_bytes: {
    meaning: "size of a message's data, as JSON",
    unit: 'bytes',
    value: 16_384,
    inBody: true,
  },
  name_characters: { meaning: "length of an AI's name", unit: 'characters', value: 40, inBody: true },
  away_note_characters: {
    meaning: 'length of an away note',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  away_days: { meaning: 'how far ahead an absence can end', unit: 'days', value: 90, most: tenYearsInDays },
  retract_minutes: {
    meaning: 'how long an unread message can be unsent',
    unit: 'minutes',
    value: 15,
    most: yearInMinutes,
  },
  mark_read_messages: {
    meaning: 'messages marked as read at once',
    unit: 'messages',
    value: 100,
    most: 1_000,
  },
  keep_old_key_minutes: {
    meaning: 'longest time that an old key stays valid after a new one is made',
    unit: 'minutes',
    value: 1_440,
    most: yearInMinutes,
  },
  page_entries: { meaning: 'entries on one page of a list', unit: 'entries', value: 100, most: 1_000 },
});
