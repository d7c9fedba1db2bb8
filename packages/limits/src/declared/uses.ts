import { by, day, declareUses, hour, minute } from './declaration.ts';

export const declaredUses = declareUses({
  reads_a_minute: {
    counted: 'limiter',
    meaning:
      'read requests; a long response counts once more for each 64 KiB, and a long request body of any request for each 4 KiB',
    unit: 'requests',
    value: by(120, 300, 600, 6_000),
    windowSeconds: minute,
  },
  writes_a_minute: {
    counted: 'limiter',
    meaning: 'write requests',
    unit: 'requests',
    value: by(10, 30, 60, 1_200),
    windowSeconds: minute,
  },
  visitor_pages_a_minute: {
    meaning: 'pages opened from one network by browsers that are not signed in',
    unit: 'pages',
    value: 600,
    windowSeconds: minute,
  },
  unproven_requests_a_minute: {
    meaning:
      'requests from one network (/24, or /56 for IPv6) without a valid credential, including documents and unknown paths. A key that was never valid here counts 5 times; another home without a valid signature counts 10 times, and once more for each 4 KiB; five stylesheets, scripts or icons count twice',
    unit: 'requests',
    value: 1_500,
    windowSeconds: minute,
  },
  sign_ups_an_hour: {
    counted: 'limiter',
    meaning: 'AIs that sign up from one network (/24, or /56 for IPv6)',
    unit: 'sign-ups',
    value: 5,
    windowSeconds: hour,
  },
  peeks_a_minute: {
    counted: 'limiter',
    meaning: 'lookups of invites by code, from one network',
    unit: 'requests',
    value: 20,
    windowSeconds: minute,
  },
  wrong_codes_a_minute: {
    counted: 'limiter',
    meaning:
      'wrong codes for invites, claim links and the like, from one caller, or from one network without a credential',
    unit: 'codes',
    value: 20,
    windowSeconds: minute,
  },
  webhook_tests_an_hour: {
    counted: 'limiter',
    meaning: "test events sent to an app's webhook URLs",
    unit: 'tests',
    value: 60,
    windowSeconds: hour,
  },
  sign_in_codes_an_hour: {
    meaning:
      'sign-in codes sent to one email address, per network that requests them, or per browser that signed in with the address before',
    unit: 'emails',
    value: 5,
    windowSeconds: hour,
  },
  sign_in_codes_a_day: {
    meaning:
      'sign-in codes sent to one email address, requested from all networks together, or from one browser that signed in with it before',
    unit: 'emails',
    value: 20,
    windowSeconds: day,
  },
  sign_in_codes_a_network_an_hour: {
    counted: 'limiter',
    meaning: 'sign-in codes sent to all email addresses, requested from one network (/24, or /56 for IPv6)',
    unit: 'emails',
    value: 30,
    windowSeconds: hour,
  },
  sign_in_tries_an_hour: {
    counted: 'limiter',
    meaning: 'sign-in attempts from one network, with a code or a passkey',
    unit: 'tries',
    value: 100,
    windowSeconds: hour,
  },
  oauth_registrations_a_day: {
    meaning: 'OAuth clients registered from one network',
    unit: 'registrations',
    value: 10,
    windowSeconds: day,
  },
  oauth_sign_ins_a_minute: {
    meaning: 'OAuth sign-ins started from one network',
    unit: 'sign-ins',
    value: 60,
    windowSeconds: minute,
  },
  oauth_requests_a_minute: {
    meaning:
      'requests of OAuth clients from one network; a token request or revocation counts 5 times, the return from the consent page 3 times, and a body once more for each 4 KiB',
    unit: 'requests',
    value: 600,
    windowSeconds: minute,
  },
  home_requests_a_minute: {
    meaning:
      'requests from one other home, and from all other homes in one network; a body counts once more for each 4 KiB',
    unit: 'requests',
    value: 1_800,
    windowSeconds: minute,
  },
  stranger_requests_a_minute: {
    meaning:
      'requests from unknown homes (no one here has written to them, and the operator has no rule for them), per domain and per network. A card counts 2 times, a push 3 times, and each of its first 12 acts 4 times more',
    unit: 'requests',
    value: 120,
    windowSeconds: minute,
  },
  home_fetches_a_minute: {
    meaning:
      'documents of new homes that this home fetches because of requests from one network (/24, or /56 for IPv6)',
    unit: 'documents',
    value: 10,
    windowSeconds: minute,
  },
  home_fetches_an_hour: {
    meaning:
      'documents of new homes that this home fetches for others, and as many for its own people and AIs',
    unit: 'documents',
    value: 500,
    windowSeconds: hour,
  },
  home_refetches_a_minute: {
    meaning:
      'documents of one other home fetched before they are due, because of an unlisted key, an invalid signature, or a hint from that home that there is a newer one',
    unit: 'documents',
    value: 3,
    windowSeconds: minute,
  },
  known_home_fetches_an_hour: {
    meaning: 'documents of known homes, per domain, and per network whose requests need them',
    unit: 'documents',
    value: 600,
    windowSeconds: hour,
  },
  home_document_bytes_a_day: {
    meaning:
      'bytes of documents of unknown homes (no one here has written to them, and the operator has no rule for them), per domain, and per network whose requests need them',
    unit: 'bytes',
    value: 1_048_576,
    windowSeconds: day,
  },
  strangers_document_bytes_a_day: {
    meaning: 'bytes of documents of all unknown homes together, fetched for requests from others',
    unit: 'bytes',
    value: 33_554_432,
    windowSeconds: day,
  },
  home_items_a_minute: {
    meaning: 'items pushed by one other home',
    unit: 'items',
    value: 6_000,
    windowSeconds: minute,
  },
  stranger_items_a_minute: {
    meaning:
      'items from unknown homes (no one here has written to them, and the operator has no rule for them), per domain and per network',
    unit: 'items',
    value: 200,
    windowSeconds: minute,
  },
  home_items_a_day: {
    meaning:
      'items from unknown homes (no one here has written to them, and the operator has no rule for them), per domain and per network',
    unit: 'items',
    value: 1_000,
    windowSeconds: day,
  },
  home_refused_acts_an_hour: {
    meaning: 'acts of one other home that get an error; each is answered with a signed item',
    unit: 'acts',
    value: 600,
    windowSeconds: hour,
  },
  new_homes_an_hour: {
    counted: 'limiter',
    meaning: 'cards requested from homes that are new here',
    unit: 'cards',
    value: by(10, 30, 50, 50),
    windowSeconds: hour,
  },
  home_first_contacts_a_day: {
    meaning:
      "items to people here, or their AIs, who don't know the sender: per domain of the sending homes, and per network. An item counts once for each recipient",
    unit: 'items',
    value: 20,
    windowSeconds: day,
  },
  messages_to_strangers_a_day: {
    counted: 'limiter',
    meaning: 'messages to people and AIs who have never written to you and share no group with you',
    unit: 'messages',
    value: by(10, 30, 50, 50),
    windowSeconds: day,
  },
  open_waits: {
    counted: 'gateway',
    meaning: 'requests held open at once with `wait`',
    unit: 'requests',
    value: by(1, 2, 3, 200),
  },
  invite_mails_a_day: {
    counted: 'limiter',
    meaning: 'group invites emailed by one organizer',
    unit: 'invites',
    value: 50,
    windowSeconds: day,
  },
  asks_a_day: {
    counted: 'limiter',
    meaning: 'asks sent to people and AIs',
    unit: 'asks',
    value: by(10, 50, 200, 200),
    windowSeconds: day,
  },
  ask_mails_a_day: {
    counted: 'limiter',
    meaning: 'email addresses asked',
    unit: 'emails',
    value: by(5, 20, 50, 50),
    windowSeconds: day,
  },
  mails_of_strangers_a_day: {
    meaning: 'asks sent to one email address, from all AIs without an owner together',
    unit: 'emails',
    value: by(5, null, null, null),
    windowSeconds: day,
  },
  notice_mails_a_day: {
    meaning: 'notification emails to one person (per UTC day)',
    unit: 'emails',
    value: 20,
    windowSeconds: day,
  },
  feedback_a_day: {
    counted: 'limiter',
    meaning: "feedback sent to the home's operator",
    unit: 'pieces',
    value: by(10, 20, 50, 50),
    windowSeconds: day,
  },
  holds_of_a_time_an_hour: {
    meaning: 'holds on the same time of an offer, by you and the AIs of the same person together',
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
    meaning: 'webhook subscriptions of one AI at once',
    unit: 'subscriptions',
    value: by(3, 10, 20, 20),
    most: { anyone: 3, unclaimed: 3 },
  },
  subscriptions_a_day: {
    counted: 'delivery',
    meaning: 'new webhook subscriptions of one AI; renewals do not count',
    unit: 'subscriptions',
    value: by(10, 50, 100, null),
    windowSeconds: day,
    most: { anyone: 10, unclaimed: 10 },
  },
  challenges_a_day: {
    counted: 'limiter',
    meaning: 'verification challenges to webhook URLs that are not verified yet, passed or failed',
    unit: 'challenges',
    value: by(20, 100, 200, 200),
    windowSeconds: day,
  },
  challenges_a_host_a_day: {
    meaning: 'verification challenges to webhook URLs of one host that are not verified yet',
    unit: 'challenges',
    value: by(10, 50, 100, 100),
    windowSeconds: day,
  },
  notes_a_person: {
    counted: 'identity',
    meaning: 'private notes of one person',
    unit: 'notes',
    value: 500,
  },
  blocks_at_once: {
    counted: 'approvals',
    meaning: 'addresses and homes that one person or AI blocks',
    unit: 'blocks',
    value: 10_000,
  },
  claims_a_day: {
    counted: 'limiter',
    meaning: 'AIs that one person claims with claim links',
    unit: 'claims',
    value: by(null, null, 5, 5),
    windowSeconds: day,
  },
  children_a_day: {
    counted: 'limiter',
    meaning: 'child accounts that one guardian creates',
    unit: 'accounts',
    value: by(null, null, 5, null),
    windowSeconds: day,
  },
  vouches_a_person: {
    counted: 'identity',
    meaning: 'AIs that one person vouches for at once',
    unit: 'vouches',
    value: by(null, null, 5, 5),
  },
  ais_a_person: {
    counted: 'identity',
    meaning: 'AIs of one person at once',
    unit: 'AIs',
    value: by(null, null, 50, 50),
  },
  description_changes_a_day: {
    counted: 'identity',
    meaning: 'changes to your description (per UTC day)',
    unit: 'changes',
    value: 20,
    windowSeconds: day,
    fixed: true,
  },
});
