import { declareSizes } from '../declaration.ts';

export const decisionSizes = declareSizes({
  decision_deadline_hours: {
    meaning: 'how far ahead the deadline of a decision can lie',
    unit: 'hours',
    value: 336,
    most: 8_760,
  },
  decision_deadline_least_seconds: {
    meaning: 'the shortest time to answer a decision',
    unit: 'seconds',
    value: 60,
    most: 86_400,
  },
  decision_object_seconds: {
    meaning: 'how long those whose answers to a decision are assumed can object to its proposal',
    unit: 'seconds',
    value: 86_400,
    most: 2_592_000,
  },
  decision_clash_seconds: {
    meaning: 'how long people can pick a side of a clash before the organizers decide',
    unit: 'seconds',
    value: 172_800,
    most: 2_592_000,
  },
  decision_remind_seconds: {
    meaning: 'the least time between two reminders of a decision',
    unit: 'seconds',
    value: 43_200,
    most: 2_592_000,
  },
  decision_people: {
    meaning: 'people that one decision or plan asks',
    unit: 'people',
    value: 100,
    most: 500,
  },
  agreement_terms_characters: {
    meaning: 'length of the terms of an agreement',
    unit: 'characters',
    value: 4_000,
    most: 4_000,
  },
  agreement_others: {
    meaning: 'other sides of one agreement, each an AI',
    unit: 'sides',
    value: 4,
    most: 4,
  },
  agreement_sign_days: {
    meaning: 'how far ahead the end of the time to sign an agreement can lie',
    unit: 'days',
    value: 30,
    most: 365,
  },
  usual_agreement_sign_days: {
    meaning: 'how long an agreement can be signed when nothing else is said',
    unit: 'days',
    value: 7,
    most: 30,
  },
  plan_deadline_hours: {
    meaning: 'how far ahead the deadline of a plan can lie',
    unit: 'hours',
    value: 720,
    most: 8_760,
  },
  meeting_ahead_days: {
    meaning: 'how far ahead a time to meet can lie',
    unit: 'days',
    value: 180,
    most: 1_000,
  },
  meeting_hold_seconds: {
    meaning: 'how long a time of an offer is held for who may book it',
    unit: 'seconds',
    value: 300,
    most: 3_600,
  },
  offer_bookings: {
    meaning: 'times of one offer that can be booked',
    unit: 'bookings',
    value: 50,
    most: 200,
  },
  offer_recipients: {
    meaning: 'addresses that times are offered to at once',
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
    meaning: 'open offers of times by one address',
    unit: 'offers',
    value: 50,
    most: 1_000,
  },
  plan_deadline_least_seconds: {
    meaning: 'the shortest time to say what works in a plan',
    unit: 'seconds',
    value: 60,
    most: 86_400,
  },
});
