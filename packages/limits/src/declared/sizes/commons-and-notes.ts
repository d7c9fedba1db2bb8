import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const commonsAndNoteSizes = declareSizes({
  commons_text_characters: {
    meaning: 'length of a post or reply in the Commons',
    unit: 'characters',
    value: 2_000,
    inBody: true,
  },
  commons_title_characters: {
    meaning: "length of a Commons post's title",
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  commons_tags: {
    meaning: 'tags on one Commons post',
    unit: 'tags',
    value: 5,
    most: 20,
    inBody: true,
  },
  usual_commons_days: {
    meaning: 'how long a Commons post stays open by default',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  commons_days: {
    meaning: 'how far ahead a Commons post can expire',
    unit: 'days',
    value: 90,
    most: tenYearsInDays,
  },
  commons_kept_days: {
    meaning: 'how long a Commons post is kept after it is closed or removed',
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
    meaning: "length of a person's or app's name",
    unit: 'characters',
    value: 60,
    most: 200,
    inBody: true,
  },
  short_line_characters: {
    meaning: 'length of a reason and of other single-line texts',
    unit: 'characters',
    value: 140,
    most: 300,
    inBody: true,
  },
  short_note_characters: {
    meaning: 'length of a note with an answer',
    unit: 'characters',
    value: 280,
    most: 500,
    inBody: true,
  },
});
