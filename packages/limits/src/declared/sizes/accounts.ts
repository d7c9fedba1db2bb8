import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const accountSizes = declareSizes({
  handle_change_days: {
    meaning: 'how long you keep a handle before you can change it again',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  old_handle_days: {
    meaning:
      "how long a person's old handle, and the addresses of their AIs under it, forward to the new one",
    unit: 'days',
    value: 90,
    most: tenYearsInDays,
  },
  session_idle_days: {
    meaning: 'how long an unused session lasts',
    unit: 'days',
    value: 30,
    most: 90,
  },
  deletion_days: {
    meaning: 'how long an account deletion can be undone',
    unit: 'days',
    value: 7,
    most: 30,
  },
  signing_key_overlap_seconds: {
    meaning:
      "how long the home's next signing key is published before use, and the previous one stays valid after",
    unit: 'seconds',
    value: 172_800,
    most: 2_592_000,
  },
  handle_characters: { meaning: 'longest handle', unit: 'characters', value: 30, fixed: true },
  handle_least_characters: { meaning: 'shortest handle', unit: 'characters', value: 3, fixed: true },
  sign_in_code_minutes: {
    meaning: 'how long an emailed sign-in code is valid',
    unit: 'minutes',
    value: 10,
    fixed: true,
  },
  sign_in_code_tries: {
    meaning: 'wrong attempts after which a sign-in code is invalid',
    unit: 'tries',
    value: 5,
    fixed: true,
  },
  oauth_code_seconds: {
    meaning: 'how long an OAuth authorization code is valid',
    unit: 'seconds',
    value: 60,
    fixed: true,
  },
  access_token_seconds: {
    meaning: 'how long an OAuth access token is valid',
    unit: 'seconds',
    value: 3600,
    fixed: true,
  },
  refresh_token_days: {
    meaning: 'how long an OAuth refresh token is valid; each use returns a new one',
    unit: 'days',
    value: 30,
    fixed: true,
  },
  app_key_overlap_hours: {
    meaning: "longest time that an app's old key or signing secret can stay valid after a new one is made",
    unit: 'hours',
    value: 168,
    most: 168,
  },
  usual_app_key_overlap_hours: {
    meaning: "how long an app's old key or signing secret stays valid by default after a new one is made",
    unit: 'hours',
    value: 24,
    fixed: true,
  },
  webhook_attempts: {
    meaning: "attempts to deliver an event to an app, or to an ask's callback",
    unit: 'attempts',
    value: 10,
    fixed: true,
  },
  wake_up_attempts: {
    meaning: "attempts to deliver a wake-up to an AI's webhook",
    unit: 'attempts',
    value: 5,
    fixed: true,
  },
  wake_up_days: {
    meaning: 'how long wake-up events are kept for polling',
    unit: 'days',
    value: 8,
    fixed: true,
  },
  subscription_days: {
    meaning: 'how long a subscription lasts unless renewed',
    unit: 'days',
    value: 7,
    fixed: true,
  },
  subscription_secret_overlap_hours: {
    meaning: "how long wake-ups are also signed with a subscription's old secret",
    unit: 'hours',
    value: 24,
    fixed: true,
  },
  // Responses are larger than requests, and a call between services carries at most 8 MiB.
  body_bytes: { meaning: 'size of a request body', unit: 'bytes', value: 65_536, most: 1_048_576 },
});
