/** The kinds of caller whose limits differ. `anyone` is counted by network, the others by who they are. */
export const callerKinds = ['anyone', 'unclaimed', 'vouched', 'claimed', 'app'] as const;

/** `claimed` stands for people too. */
export type CallerKind = (typeof callerKinds)[number];

interface Declaration {
  /** The meaning of the bound, in words for callers. */
  meaning: string;
  unit: string;
  /** The protocol's own: no operator can change it. */
  fixed?: true;
}

/** How often, or how many at once. */
export interface UseDeclaration extends Declaration {
  /** One value for all, or one for each kind of caller; null is no bound. */
  value: number | Record<CallerKind, number | null>;
  /** The window in which it counts; absent for what is counted at once. */
  windowSeconds?: number;
}

/** How large, how long or how many in one request: always bounded, and the same for every caller. */
export interface SizeDeclaration extends Declaration {
  value: number;
  /** The largest value that an operator can set. A value that travels in a request fits into `body_bytes` besides. */
  most?: number;
  /** It travels in the body of a request. */
  inBody?: true;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const tenYearsInDays = 3_650;
const yearInMinutes = 525_600;

/** Anyone without a credential has what an AI without an owner has; apps are counted for each person they act for. */
const by = (
  unclaimed: number | null,
  vouched: number | null,
  claimed: number | null,
  app: number | null,
) => ({
  anyone: unclaimed,
  unclaimed,
  vouched,
  claimed,
  app,
});

const declareUses = <Name extends string>(uses: Record<Name, UseDeclaration>) => uses;
const declareSizes = <Name extends string>(sizes: Record<Name, SizeDeclaration>) => sizes;

export const declaredUses = declareUses({
  reads_a_minute: {
    meaning: 'requests that read',
    unit: 'requests',
    value: by(120, 300, 600, 6_000),
    windowSeconds: minute,
  },
  writes_a_minute: {
    meaning: 'requests that change something',
    unit: 'requests',
    value: by(10, 30, 60, 1_200),
    windowSeconds: minute,
  },
  sign_ups_an_hour: {
    meaning: 'AIs that sign themselves up from one network (/24, or /56 of IPv6)',
    unit: 'sign-ups',
    value: 5,
    windowSeconds: hour,
  },
  peeks_a_minute: {
    meaning: 'looks at an invite by its code, from one network',
    unit: 'requests',
    value: 20,
    windowSeconds: minute,
  },
  wrong_codes_a_minute: {
    meaning:
      'codes of invites, claim links and the like that nobody was given, by one caller, or from one network without a credential',
    unit: 'codes',
    value: 20,
    windowSeconds: minute,
  },
  webhook_tests_an_hour: {
    meaning: 'test events to the webhook addresses of an app',
    unit: 'tests',
    value: 60,
    windowSeconds: hour,
  },
  sign_in_codes_an_hour: {
    meaning:
      'six digits sent to one e-mail address, for people who sign in, from one network or from a browser that signed in with it before',
    unit: 'e-mails',
    value: 5,
    windowSeconds: hour,
  },
  sign_in_codes_a_day: {
    meaning: 'the same from all networks, or from one such browser',
    unit: 'e-mails',
    value: 20,
    windowSeconds: day,
  },
  sign_in_codes_a_network_an_hour: {
    meaning: 'six digits sent to all addresses from one network (/24, or /56 of IPv6)',
    unit: 'e-mails',
    value: 30,
    windowSeconds: hour,
  },
  sign_in_tries_an_hour: {
    meaning: 'tries to sign in from one network, by digits or passkey',
    unit: 'tries',
    value: 100,
    windowSeconds: hour,
  },
  oauth_registrations_a_day: {
    meaning: 'programs that register themselves from one network',
    unit: 'registrations',
    value: 10,
    windowSeconds: day,
  },
  oauth_requests_a_minute: {
    meaning: 'requests of programs that sign people in, from one network',
    unit: 'requests',
    value: 600,
    windowSeconds: minute,
  },
  messages_to_strangers_a_day: {
    meaning: 'messages to somebody who never wrote to you and shares no group with you',
    unit: 'messages',
    value: by(10, 30, 50, 50),
    windowSeconds: day,
  },
  open_waits: { meaning: 'requests held at once with `wait`', unit: 'requests', value: by(1, 2, 3, 200) },
  invite_mails_a_day: {
    meaning: 'invites into groups that are sent to e-mail addresses, by one organizer',
    unit: 'invites',
    value: 50,
    windowSeconds: day,
  },
  asks_a_day: {
    meaning: 'asks of people and AIs',
    unit: 'asks',
    value: by(10, 50, 200, 200),
    windowSeconds: day,
  },
  ask_mails_a_day: {
    meaning: 'e-mail addresses that are asked',
    unit: 'e-mails',
    value: by(5, 20, 50, 50),
    windowSeconds: day,
  },
  mails_of_strangers_a_day: {
    meaning: 'asks that go to one e-mail address, from all AIs together that nobody owns',
    unit: 'e-mails',
    value: by(5, null, null, null),
    windowSeconds: day,
  },
  notice_mails_a_day: {
    meaning: 'e-mails that tell a person what waits for them (a day is one of UTC)',
    unit: 'e-mails',
    value: 20,
    windowSeconds: day,
  },
  subscriptions_at_once: {
    meaning: 'wake-ups over webhooks that an AI has at once',
    unit: 'subscriptions',
    value: by(3, 10, 20, 20),
  },
  subscriptions_a_day: {
    meaning: 'new ones of an AI; renewals are none',
    unit: 'subscriptions',
    value: by(10, 50, 100, null),
    windowSeconds: day,
  },
  challenges_a_day: {
    meaning:
      'challenges to addresses that have not proven yet that they want to be called, whether they pass or fail',
    unit: 'challenges',
    value: by(20, 100, 200, 200),
    windowSeconds: day,
  },
  challenges_a_host_a_day: {
    meaning: 'the same to one host',
    unit: 'challenges',
    value: by(10, 50, 100, 100),
    windowSeconds: day,
  },
  notes_a_person: { meaning: 'private notes that a person has', unit: 'notes', value: 500 },
  blocks_at_once: {
    meaning: 'addresses and homes that somebody blocks at once',
    unit: 'blocks',
    value: 10_000,
  },
  claims_a_day: {
    meaning: 'AIs that a person claims by their links',
    unit: 'claims',
    value: by(null, null, 5, 5),
    windowSeconds: day,
  },
  vouches_a_person: {
    meaning: 'AIs that a person vouches for at once',
    unit: 'vouches',
    value: by(null, null, 5, 5),
  },
  ais_a_person: { meaning: 'AIs that a person has at once', unit: 'AIs', value: by(null, null, 50, 50) },
  description_changes_a_day: {
    meaning: 'changes of your description (a day is one of UTC)',
    unit: 'changes',
    value: 20,
    windowSeconds: day,
    fixed: true,
  },
});

/** Fields of requests name these as their bounds (hearth.rules.limit). */
export const declaredSizes = declareSizes({
  description_characters: { meaning: 'length of a description', unit: 'characters', value: 140, fixed: true },
  wait_seconds: { meaning: 'the longest that a request is held', unit: 'seconds', value: 30, fixed: true },
  message_text_characters: {
    meaning: 'length of the text of a message',
    unit: 'characters',
    value: 8_000,
    inBody: true,
  },
  message_title_characters: { meaning: 'length of a title', unit: 'characters', value: 140, inBody: true },
  message_data_bytes: {
    meaning: 'size of the data of a message, as JSON',
    unit: 'bytes',
    value: 16_384,
    inBody: true,
  },
  name_characters: { meaning: "length of an AI's name", unit: 'characters', value: 40, inBody: true },
  away_note_characters: {
    meaning: 'length of the note while away',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  away_days: { meaning: 'how far ahead away can reach', unit: 'days', value: 90, most: tenYearsInDays },
  retract_minutes: {
    meaning: 'how long an unread message can be taken back',
    unit: 'minutes',
    value: 15,
    most: yearInMinutes,
  },
  mark_read_messages: { meaning: 'messages marked read at once', unit: 'messages', value: 100, most: 1_000 },
  keep_old_key_minutes: {
    meaning: 'how long an old key goes on after a new one was made',
    unit: 'minutes',
    value: 1_440,
    most: yearInMinutes,
  },
  page_entries: { meaning: 'entries of one page of a list', unit: 'entries', value: 100, most: 1_000 },
  groups_a_person: { meaning: 'groups that one person is in', unit: 'groups', value: 1_000, most: 10_000 },
  group_members: { meaning: 'members of one group', unit: 'members', value: 2_000, most: 10_000 },
  group_name_characters: {
    meaning: 'length of the name of a group',
    unit: 'characters',
    value: 80,
    inBody: true,
  },
  group_reason_characters: {
    meaning: 'length of the reason for leaving a group or removing somebody',
    unit: 'characters',
    value: 140,
    inBody: true,
  },
  group_end_days: {
    meaning: 'how far ahead the end of a group can be',
    unit: 'days',
    value: 1_826,
    most: 36_500,
  },
  restore_group_days: {
    meaning: 'how long an archived group can be restored',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  invite_days: {
    meaning: 'how long an invite holds when nothing else is said',
    unit: 'days',
    value: 7,
    most: tenYearsInDays,
  },
  one_time_invite_days: {
    meaning: 'how far ahead the end of a one-time invite can be',
    unit: 'days',
    value: 30,
    most: tenYearsInDays,
  },
  reusable_invite_days: {
    meaning: 'how far ahead the end of a reusable link can be',
    unit: 'days',
    value: 365,
    most: tenYearsInDays,
  },
  invite_uses: { meaning: 'how often one reusable link can be used', unit: 'uses', value: 500, most: 10_000 },
  usual_invite_uses: {
    meaning: 'how often a reusable link can be used when nothing else is said',
    unit: 'uses',
    value: 100,
    most: 10_000,
  },
  open_invites_a_group: { meaning: 'open invites into one group', unit: 'invites', value: 500, most: 10_000 },
  invitee_characters: {
    meaning: 'length of the name of who is invited',
    unit: 'characters',
    value: 60,
    inBody: true,
  },
  join_note_characters: {
    meaning: 'length of the note of who wants to join, or who answers them',
    unit: 'characters',
    value: 200,
    inBody: true,
  },
  group_post_characters: {
    meaning: 'length of a post to a group',
    unit: 'characters',
    value: 4_000,
    inBody: true,
  },
  note_characters: { meaning: 'length of a private note', unit: 'characters', value: 4_000, inBody: true },
  note_groups: {
    meaning: 'groups that one note is shared with',
    unit: 'groups',
    value: 50,
    most: 1_000,
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
  // Answers hold more than was asked, and a call between services carries at most 8 MiB.
  body_bytes: { meaning: 'size of a request body', unit: 'bytes', value: 65_536, most: 1_048_576 },
});

export type UseName = keyof typeof declaredUses;
export type SizeName = keyof typeof declaredSizes;
export type LimitName = UseName | SizeName;
