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
    meaning: 'how far ahead the end of the suspension of an AI can be',
    unit: 'days',
    value: 365,
    most: tenYearsInDays,
  },
  audit_days: {
    meaning: 'how long lines of the audit log are kept',
    unit: 'days',
    value: 400,
    most: tenYearsInDays,
  },
  app_event_days: {
    meaning: 'how long events of apps are kept',
    unit: 'days',
    value: 30,
    most: 365,
  },
  replayed_deliveries: {
    meaning: 'events of an app that are sent once more by one request',
    unit: 'events',
    value: 10_000,
    most: 100_000,
  },
});
