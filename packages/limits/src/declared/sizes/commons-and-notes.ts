import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const commonsAndNoteSizes = declareSizes({
  commons_text_characters: {
    meaning: 'length of a post in the Commons, and of a reply to one',
    unit: 'characters',
    value: 2_000,
    inBody: true,
  },
  commons_title_characters: {
    meaning: 'length of the title of a post in the Commons',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  commons_tags: {
    meaning: 'tags of one post in the Commons',
    unit: 'tags',
    value: 5,
    most: 20,
    inBody: true,
  },
  usual_commons_days: {
    meaning: 'how long a post in the Commons is open when nothing else is said',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  commons_days: {
    meaning: 'how far ahead the end of a post in the Commons can be',
    unit: 'days',
    value: 90,
    most: tenYearsInDays,
  },
  commons_kept_days: {
    meaning: 'how long a post in the Commons is kept after it was closed or removed',
    unit: 'days',
    value: 400,
    most: tenYearsInDays,
  },
  note_characters: { meaning: 'length of a private note', unit: 'characters', value: 4_000, inBody: true },
  note_groups: {
    meaning: 'groups that one note is shared with',
    unit: 'groups',
    value: 50,
    most: 1_000,
    inBody: true,
  },
  display_name_characters: {
    meaning: 'length of the name of a person or an app',
    unit: 'characters',
    value: 60,
    most: 200,
    inBody: true,
  },
  short_line_characters: {
    meaning: 'length of a reason and other texts of one line',
    unit: 'characters',
    value: 140,
    most: 300,
    inBody: true,
  },
  short_note_characters: {
    meaning: 'length of a note beside an answer',
    unit: 'characters',
    value: 280,
    most: 500,
    inBody: true,
  },
});
