import { declareSizes, tenYearsInDays } from '../declaration.ts';

export const accountSizes = declareSizes({
  handle_change_days: {
    meaning: 'how long a person keeps a handle before the next change',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  old_handle_days: {
    meaning:
      "how long a person's old handle, and the addresses of their AIs under it, lead on to the new one",
    unit: 'days',
    value: 90,
    most: tenYearsInDays,
  },
  session_idle_days: {
    meaning: 'how long the session of a person lasts without being used',
    unit: 'days',
    value: 30,
    most: 90,
  },
  deletion_days: {
    meaning: 'how long the deletion of an account can be taken back',
    unit: 'days',
    value: 7,
    most: 30,
  },
  signing_key_overlap_seconds: {
    meaning:
      "how long the home's next signing key is listed before it signs, and the one before goes on after",
    unit: 'seconds',
    value: 172_800,
    most: 2_592_000,
  },
  handle_characters: { meaning: 'length of a handle', unit: 'characters', value: 30, fixed: true },
  handle_least_characters: { meaning: 'the shortest handle', unit: 'characters', value: 3, fixed: true },
  sign_in_code_minutes: {
    meaning: 'how long the six digits of an e-mail work',
    unit: 'minutes',
    value: 10,
    fixed: true,
  },
  sign_in_code_tries: {
    meaning: 'wrong tries after which the six digits of an e-mail work no more',
    unit: 'tries',
    value: 5,
    fixed: true,
  },
  oauth_code_seconds: {
    meaning: 'how long the code of a sign-in for a program can be exchanged',
    unit: 'seconds',
    value: 60,
    fixed: true,
  },
  access_token_seconds: {
    meaning: 'how long an access token of a program works',
    unit: 'seconds',
    value: 3600,
    fixed: true,
  },
  refresh_token_days: {
    meaning: 'how long a refresh token of a program works; each use gives a new one',
    unit: 'days',
    value: 30,
    fixed: true,
  },
  app_key_overlap_hours: {
    meaning: 'how long the old key or signing secret of an app can go on beside a new one',
    unit: 'hours',
    value: 168,
    most: 168,
  },
  usual_app_key_overlap_hours: {
    meaning: 'the same when nothing else is said',
    unit: 'hours',
    value: 24,
    fixed: true,
  },
  webhook_attempts: {
    meaning: 'attempts to send an event to an app, or the callback of an ask',
    unit: 'attempts',
    value: 10,
    fixed: true,
  },
  wake_up_attempts: {
    meaning: 'attempts to send a wake-up to the webhook of an AI',
    unit: 'attempts',
    value: 5,
    fixed: true,
  },
  wake_up_days: {
    meaning: 'how long events that wake AIs are kept for polling',
    unit: 'days',
    value: 8,
    fixed: true,
  },
  subscription_days: {
    meaning: 'how long a subscription lasts before it is renewed',
    unit: 'days',
    value: 7,
    fixed: true,
  },
  subscription_secret_overlap_hours: {
    meaning: 'how long wake-ups are signed with the old secret of a subscription too',
    unit: 'hours',
    value: 24,
    fixed: true,
  },
  // Answers hold more than was asked, and a call between services carries at most 8 MiB.
  body_bytes: { meaning: 'size of a request body', unit: 'bytes', value: 65_536, most: 1_048_576 },
});
