import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const askSizes = declareSizes({
  report_characters: {
    meaning: 'length of the text of a report',
    unit: 'characters',
    value: 2_000,
    inBody: true,
  },
  ask_title_characters: {
    meaning: 'length of what is asked',
    unit: 'characters',
    value: 140,
    most: 1_000,
    inBody: true,
  },
  ask_details_characters: {
    meaning: 'length of the details of an ask',
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
  // A signed answer of twenty recipients has room in a record, and one of more has not.
  ask_recipients: {
    meaning: 'recipients of one ask',
    unit: 'recipients',
    value: 20,
    most: 20,
    inBody: true,
  },
  ask_days: {
    meaning: 'how far ahead the end of an ask can be',
    unit: 'days',
    value: 30,
    fixed: true,
  },
  usual_ask_days: {
    meaning: 'how long an ask waits for its answer when nothing else is said',
    unit: 'days',
    value: 7,
    most: 30,
  },
  ask_reminders: {
    meaning: 'how often those who are asked are reminded',
    unit: 'times',
    value: 3,
    most: 100,
  },
  ask_reminder_hours: {
    meaning: 'how long after a reminder the next one can come',
    unit: 'hours',
    value: 24,
    most: 8_760,
  },
  feedback_title_characters: {
    meaning: 'length of the title of feedback',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  feedback_text_characters: {
    meaning: 'length of the text of feedback, and of the answer to it',
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
  feedback_days: {
    meaning: 'how long feedback is kept',
    unit: 'days',
    value: 400,
    most: tenYearsInDays,
  },
});
