import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const askSizes = declareSizes({
  report_characters: {
    meaning: 'length of a report',
    unit: 'characters',
    value: 2_000,
    inBody: true,
  },
  ask_title_characters: {
    meaning: "length of an ask's title",
    unit: 'characters',
    value: 140,
    most: 1_000,
    inBody: true,
  },
  ask_details_characters: {
    meaning: "length of an ask's details",
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
  // A record has room for a signed answer with twenty recipients, but not more.
  ask_recipients: {
    meaning: 'recipients of one ask',
    unit: 'recipients',
    value: 20,
    most: 20,
    inBody: true,
  },
  ask_days: {
    meaning: 'how far ahead an ask can expire',
    unit: 'days',
    value: 30,
    fixed: true,
  },
  usual_ask_days: {
    meaning: 'how long an ask stays open by default',
    unit: 'days',
    value: 7,
    most: 30,
  },
  ask_reminders: {
    meaning: 'reminders per ask',
    unit: 'times',
    value: 3,
    most: 100,
  },
  ask_reminder_hours: {
    meaning: 'minimum time between two reminders of an ask',
    unit: 'hours',
    value: 24,
    most: 8_760,
  },
  feedback_title_characters: {
    meaning: 'length of a feedback title',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  feedback_text_characters: {
    meaning: 'length of feedback, and of the reply to it',
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
