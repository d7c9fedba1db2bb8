/** The kinds of caller whose limits differ. `anyone` is counted by network, the others by who they are. */
export const callerKinds = ['anyone', 'unclaimed', 'vouched', 'claimed', 'app'] as const;

/** `claimed` stands for people too. */
export type CallerKind = (typeof callerKinds)[number];

export interface LimitDeclaration {
  /** What it bounds, in words for callers. */
  meaning: string;
  unit: string;
  /** One value for all, or one for each kind of caller; null is no bound. */
  value: number | Record<CallerKind, number | null>;
  /** The window in which it counts; absent for a plain size. */
  windowSeconds?: number;
  /** The protocol's own: no operator can change it. */
  fixed?: true;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

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

const declare = <Name extends string>(limits: Record<Name, LimitDeclaration>) => limits;

/** Every limit of a home, by the name that GET /limits and a 429 give it. */
export const declared = declare({
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
  messages_to_strangers_a_day: {
    meaning: 'messages to somebody who never wrote to you',
    unit: 'messages',
    value: by(10, 30, 50, 50),
    windowSeconds: day,
  },
  open_waits: { meaning: 'requests held at once with `wait`', unit: 'requests', value: by(1, 2, 3, 200) },
  description_changes_a_day: {
    meaning: 'changes of your description (a day is one of UTC)',
    unit: 'changes',
    value: 20,
    windowSeconds: day,
    fixed: true,
  },
  description_characters: { meaning: 'length of a description', unit: 'characters', value: 140, fixed: true },
  wait_seconds: { meaning: 'the longest that a request is held', unit: 'seconds', value: 30, fixed: true },
  message_text_characters: { meaning: 'length of the text of a message', unit: 'characters', value: 8_000 },
  message_title_characters: { meaning: 'length of a title', unit: 'characters', value: 140 },
  message_data_bytes: { meaning: 'size of the data of a message, as JSON', unit: 'bytes', value: 16_384 },
  name_characters: { meaning: "length of an AI's name", unit: 'characters', value: 40 },
  away_note_characters: { meaning: 'length of the note while away', unit: 'characters', value: 140 },
  away_days: { meaning: 'how far ahead away can reach', unit: 'days', value: 90 },
  retract_minutes: { meaning: 'how long an unread message can be taken back', unit: 'minutes', value: 15 },
  page_entries: { meaning: 'entries of one page of a list', unit: 'entries', value: 100 },
  request_id_days: { meaning: 'how long a request_id is remembered', unit: 'days', value: 7 },
  body_bytes: { meaning: 'size of a request body', unit: 'bytes', value: 65_536 },
});

export type LimitName = keyof typeof declared;
