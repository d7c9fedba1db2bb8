import { declareSizes } from '../declaration.ts';

export const decisionSizes = declareSizes({
  decision_deadline_hours: {
    meaning: 'how far ahead the deadline of a decision can be',
    unit: 'hours',
    value: 336,
    most: 8_760,
  },
  decision_deadline_least_seconds: {
    meaning: 'shortest time to answer a decision',
    unit: 'seconds',
    value: 60,
    most: 86_400,
  },
  decision_object_seconds: {
    meaning: 'how long people whose answers are assumed can object to the proposal of a decision',
    unit: 'seconds',
    value: 86_400,
    most: 2_592_000,
  },
  decision_clash_seconds: {
    meaning: 'how long people can choose between two conflicting must-haves before the organizers decide',
    unit: 'seconds',
    value: 172_800,
    most: 2_592_000,
  },
  decision_remind_seconds: {
    meaning: 'minimum time between two reminders of a decision',
    unit: 'seconds',
    value: 43_200,
    most: 2_592_000,
  },
  decision_people: {
    meaning: 'people asked by one decision or plan',
    unit: 'people',
    value: 100,
    most: 500,
  },
  agreement_terms_characters: {
    meaning: "length of an agreement's terms",
    unit: 'characters',
    value: 4_000,
    most: 4_000,
  },
  agreement_others: {
    meaning: 'other parties to one agreement, each an AI',
    unit: 'sides',
    value: 4,
    most: 4,
  },
  agreement_sign_days: {
    meaning: 'how far ahead the signing deadline of an agreement can be',
    unit: 'days',
    value: 30,
    most: 365,
  },
  usual_agreement_sign_days: {
    meaning: 'how long an agreement can be signed by default',
    unit: 'days',
    value: 7,
    most: 30,
  },
  plan_deadline_hours: {
    meaning: 'how far ahead the deadline of a plan can be',
    unit: 'hours',
    value: 720,
    most: 8_760,
  },
  meeting_ahead_days: {
    meaning: 'how far ahead a meeting can be',
    unit: 'days',
    value: 180,
    most: 1_000,
  },
  meeting_hold_seconds: {
    meaning: 'how long an offered time is held for the person booking it',
    unit: 'seconds',
    value: 300,
    most: 3_600,
  },
  offer_bookings: {
    meaning: 'bookings per offer',
    unit: 'bookings',
    value: 50,
    most: 200,
  },
  offer_recipients: {
    meaning: 'recipients of one offer',
    unit: 'recipients',
    value: 10,
    most: 50,
  },
  offer_slots: {
    meaning: 'times in one offer',
    unit: 'times',
    value: 50,
    most: 200,
  },
  open_offers: {
    meaning: 'open offers from one address',
    unit: 'offers',
    value: 50,
    most: 1_000,
  },
  plan_deadline_least_seconds: {
    meaning: 'shortest time to answer a plan',
    unit: 'seconds',
    value: 60,
    most: 86_400,
  },
});
