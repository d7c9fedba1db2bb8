import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const keptSizes = declareSizes({
  request_id_days: {
    meaning: 'how long a request_id is remembered',
    unit: 'days',
    value: 7,
    most: tenYearsInDays,
  },
  activity_days: {
    meaning: 'how long activity is kept',
    unit: 'days',
    value: 400,
    most: tenYearsInDays,
  },
  suspension_days: {
    meaning: 'how far ahead the suspension of an AI can end',
    unit: 'days',
    value: 365,
    most: tenYearsInDays,
  },
  audit_days: {
    meaning: 'how long audit log entries are kept',
    unit: 'days',
    value: 400,
    most: tenYearsInDays,
  },
  app_event_days: {
    meaning: "how long an app's events are kept",
    unit: 'days',
    value: 30,
    most: 365,
  },
  replayed_deliveries: {
    meaning: 'app events resent by one request',
    unit: 'events',
    value: 10_000,
    most: 100_000,
  },
});
