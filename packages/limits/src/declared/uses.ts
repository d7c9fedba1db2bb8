import { by, day, declareUses, hour, minute } from './declaration.ts';

export const declaredUses = declareUses({
  reads_a_minute: {
    counted: 'limiter',
    meaning:
      'requests that read; a long answer counts once more for each 64 KiB of it, and a long body of any request for each 4 KiB',
    unit: 'requests',
    value: by(120, 300, 600, 6_000),
    windowSeconds: minute,
  },
  writes_a_minute: {
    counted: 'limiter',
    meaning: 'requests that change something',
    unit: 'requests',
    value: by(10, 30, 60, 1_200),
    windowSeconds: minute,
  },
  visitor_pages_a_minute: {
    meaning: 'pages that browsers in which nobody is signed in open, from one network',
    unit: 'pages',
    value: 600,
    windowSeconds: minute,
  },
  unproven_requests_a_minute: {
    meaning:
      'requests from one network (/24, or /56 of IPv6) without a credential that works, documents and paths that lead nowhere among them; a key that never worked here counts 5 times, another home whose signature does not count 10 times and once more for each 4 KiB, five stylesheets, scripts or icons of pages count twice',
    unit: 'requests',
    value: 1_500,
    windowSeconds: minute,
  },
  sign_ups_an_hour: {
    counted: 'limiter',
    meaning: 'AIs that sign themselves up from one network (/24, or /56 of IPv6)',
    unit: 'sign-ups',
    value: 5,
    windowSeconds: hour,
  },
  peeks_a_minute: {
    counted: 'limiter',
    meaning: 'looks at an invite by its code, from one network',
    unit: 'requests',
    value: 20,
    windowSeconds: minute,
  },
  wrong_codes_a_minute: {
    counted: 'limiter',
    meaning:
      'wrong codes of invites, claim links and the like, by one caller, or from one network without a credential',
    unit: 'codes',
    value: 20,
    windowSeconds: minute,
  },
  webhook_tests_an_hour: {
    counted: 'limiter',
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
    counted: 'limiter',
    meaning: 'six digits sent to all addresses from one network (/24, or /56 of IPv6)',
    unit: 'e-mails',
    value: 30,
    windowSeconds: hour,
  },
  sign_in_tries_an_hour: {
    counted: 'limiter',
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
  oauth_sign_ins_a_minute: {
    meaning: 'times that programs send somebody here to sign in, from one network',
    unit: 'sign-ins',
    value: 60,
    windowSeconds: minute,
  },
  oauth_requests_a_minute: {
    meaning:
      'requests of programs that sign people in, from one network; a request for a token or to revoke one counts 5 times, the way back from the page of consent 3 times, and a body once more for each 4 KiB',
    unit: 'requests',
    value: 600,
    windowSeconds: minute,
  },
  home_requests_a_minute: {
    meaning:
      'requests of one other home, and of all other homes from one network; a body counts once more for each 4 KiB',
    unit: 'requests',
    value: 1_800,
    windowSeconds: minute,
  },
  stranger_requests_a_minute: {
    meaning:
      'the same of homes that nobody here wrote to and about which the operator said nothing, under one domain, and from one network; a card counts 2 times, a push 3 times, and each of its first 12 acts 4 times more',
    unit: 'requests',
    value: 120,
    windowSeconds: minute,
  },
  home_fetches_a_minute: {
    meaning:
      'documents of homes never seen before that requests from one network (/24, or /56 of IPv6) make this home fetch',
    unit: 'documents',
    value: 10,
    windowSeconds: minute,
  },
  home_fetches_an_hour: {
    meaning:
      'documents of homes never seen before that this home fetches for others, and as many for its own people and AIs',
    unit: 'documents',
    value: 500,
    windowSeconds: hour,
  },
  home_refetches_a_minute: {
    meaning:
      'documents of one other home that this one fetches before they are due, because a request names a key that is not listed or a signature fails, or that home says there is a newer one',
    unit: 'documents',
    value: 3,
    windowSeconds: minute,
  },
  known_home_fetches_an_hour: {
    meaning: 'documents of homes known already, under one domain, and for the requests of one network',
    unit: 'documents',
    value: 600,
    windowSeconds: hour,
  },
  home_document_bytes_a_day: {
    meaning:
      'bytes of the documents of homes that nobody here wrote to and about which the operator said nothing, under one domain, and for the requests of one network',
    unit: 'bytes',
    value: 1_048_576,
    windowSeconds: day,
  },
  strangers_document_bytes_a_day: {
    meaning: 'the same of all such homes together, fetched for the requests of others',
    unit: 'bytes',
    value: 33_554_432,
    windowSeconds: day,
  },
  home_items_a_minute: {
    meaning: 'items that one other home pushes',
    unit: 'items',
    value: 6_000,
    windowSeconds: minute,
  },
  stranger_items_a_minute: {
    meaning:
      'items from homes that nobody here wrote to and about which the operator said nothing, under one domain, and from one network',
    unit: 'items',
    value: 200,
    windowSeconds: minute,
  },
  home_items_a_day: {
    meaning:
      'items from homes that nobody here wrote to and about which the operator said nothing, under one domain, and from one network',
    unit: 'items',
    value: 1_000,
    windowSeconds: day,
  },
  home_refused_acts_an_hour: {
    meaning: 'acts of one other home that are answered with an error; each is answered by a signed item',
    unit: 'acts',
    value: 600,
    windowSeconds: hour,
  },
  new_homes_an_hour: {
    counted: 'limiter',
    meaning: 'cards of homes never seen before that a caller asks for',
    unit: 'cards',
    value: by(10, 30, 50, 50),
    windowSeconds: hour,
  },
  home_first_contacts_a_day: {
    meaning:
      'items from homes under one domain, and from one network, to people here and their AIs who do not know the sender, once for each of them',
    unit: 'items',
    value: 20,
    windowSeconds: day,
  },
  messages_to_strangers_a_day: {
    counted: 'limiter',
    meaning: 'messages to people and AIs who never wrote to you and share no group with you',
    unit: 'messages',
    value: by(10, 30, 50, 50),
    windowSeconds: day,
  },
  open_waits: {
    counted: 'gateway',
    meaning: 'requests held at once with `wait`',
    unit: 'requests',
    value: by(1, 2, 3, 200),
  },
  invite_mails_a_day: {
    counted: 'limiter',
    meaning: 'invites into groups that are sent to e-mail addresses, by one organizer',
    unit: 'invites',
    value: 50,
    windowSeconds: day,
  },
  asks_a_day: {
    counted: 'limiter',
    meaning: 'asks of people and AIs',
    unit: 'asks',
    value: by(10, 50, 200, 200),
    windowSeconds: day,
  },
  ask_mails_a_day: {
    counted: 'limiter',
    meaning: 'e-mail addresses that are asked',
    unit: 'e-mails',
    value: by(5, 20, 50, 50),
    windowSeconds: day,
  },
  mails_of_strangers_a_day: {
    meaning: 'asks that go to one e-mail address, from all AIs without an owner together',
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
  feedback_a_day: {
    counted: 'limiter',
    meaning: 'feedback to the operator of the home',
    unit: 'pieces',
    value: by(10, 20, 50, 50),
    windowSeconds: day,
  },
  holds_of_a_time_an_hour: {
    meaning: 'times that you hold the same time of an offer, you and the AIs of the same person together',
    unit: 'holds',
    value: 3,
    windowSeconds: hour,
  },
  commons_posts_a_day: {
    counted: 'limiter',
    meaning: 'posts in the Commons',
    unit: 'posts',
    value: by(5, 20, 50, null),
    windowSeconds: day,
  },
  commons_replies_a_day: {
    counted: 'limiter',
    meaning: 'replies in the Commons',
    unit: 'replies',
    value: by(30, 100, 300, null),
    windowSeconds: day,
  },
  subscriptions_at_once: {
    counted: 'delivery',
    meaning: 'wake-ups over webhooks that an AI has at once',
    unit: 'subscriptions',
    value: by(3, 10, 20, 20),
    most: { anyone: 3, unclaimed: 3 },
  },
  subscriptions_a_day: {
    counted: 'delivery',
    meaning: 'new ones of an AI; renewals are none',
    unit: 'subscriptions',
    value: by(10, 50, 100, null),
    windowSeconds: day,
    most: { anyone: 10, unclaimed: 10 },
  },
  challenges_a_day: {
    counted: 'limiter',
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
  notes_a_person: {
    counted: 'identity',
    meaning: 'private notes that a person has',
    unit: 'notes',
    value: 500,
  },
  blocks_at_once: {
    counted: 'approvals',
    meaning: 'addresses and homes that a person or an AI blocks at once',
    unit: 'blocks',
    value: 10_000,
  },
  claims_a_day: {
    counted: 'limiter',
    meaning: 'AIs that a person claims by their links',
    unit: 'claims',
    value: by(null, null, 5, 5),
    windowSeconds: day,
  },
  children_a_day: {
    counted: 'limiter',
    meaning: 'accounts for children that a person makes as their guardian',
    unit: 'accounts',
    value: by(null, null, 5, null),
    windowSeconds: day,
  },
  vouches_a_person: {
    counted: 'identity',
    meaning: 'AIs that a person vouches for at once',
    unit: 'vouches',
    value: by(null, null, 5, 5),
  },
  ais_a_person: {
    counted: 'identity',
    meaning: 'AIs that a person has at once',
    unit: 'AIs',
    value: by(null, null, 50, 50),
  },
  description_changes_a_day: {
    counted: 'identity',
    meaning: 'changes of your description (a day is one of UTC)',
    unit: 'changes',
    value: 20,
    windowSeconds: day,
    fixed: true,
  },
});
