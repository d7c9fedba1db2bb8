import { setTimeout as sleep } from 'node:timers/promises';
import { handleRules } from '@hearth/addresses';
import {
  type ApiClient,
  apiClient,
  type StartedHome,
  sharedHome,
  signUpAi,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { mostAttempts } from '@hearth/webhooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { poll, send } from '../support/messages.ts';
import { firstOf, timed } from '../support/timed.ts';

/** A home with its declared limits, except for signing up and reading: all tests come from one network. */
let home: StartedHome;

beforeAll(async () => {
  home = await startHomeInProcesses({
    topology: sharedHome().topology,
    replicas: 2,
    env: { HEARTH_LIMITS: JSON.stringify({ sign_ups_an_hour: 25, reads_a_minute: { unclaimed: 30 } }) },
  });
}, 180_000);

afterAll(() => home?.stop(), 40_000);

const newAi = () => signUpAi(home.urls);

/** A person held by their own app, which acts for them. */
async function newPerson(): Promise<ApiClient> {
  const operator = apiClient(home.urls, home.operatorKey);
  const app = { name: 'Planner', contact_email: 'ops@planner.example', minors: true };
  const { body } = await operator.post('/v0/admin/apps', app);
  const person = {
    name: 'Ada',
    handle: `ada-${body.app.id.slice(-12)}`,
    age_band: 'adult',
    time_zone: 'UTC',
  };
  const made = await apiClient(home.urls, body.app_key).post('/v0/people', person);
  const acting = { 'svc-acting-for': made.body.id };
  const client = apiClient(home.urls, body.app_key);
  const request: ApiClient['request'] = (method, path, given) => client.request(method, path, given, acting);
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, given = {}) => request('POST', path, given),
    put: (path, given = {}) => request('PUT', path, given),
    patch: (path, given = {}) => request('PATCH', path, given),
    delete: (path) => request('DELETE', path),
  };
}

interface Limit {
  name: string;
  meaning: string;
  unit: string;
  value: number;
  by_caller: Record<string, number>;
  window_seconds?: number;
  remaining?: number;
  resets_at?: string;
  fixed: boolean;
}

async function limitsOf(client: { get(path: string): Promise<{ body: { limits: Limit[] } }> }) {
  const { limits } = (await client.get('/v0/limits')).body;
  return Object.fromEntries(limits.map((limit) => [limit.name, limit]));
}

/** By kind of caller, as in the table of docs/operators/limits.md. */
const table = {
  reads_a_minute: { anyone: 120, unclaimed: 30, vouched: 300, claimed: 600, app: 6_000 },
  writes_a_minute: { unclaimed: 10, vouched: 30, claimed: 60, app: 1_200 },
  messages_to_strangers_a_day: { unclaimed: 10, vouched: 30, claimed: 50, app: 50 },
  asks_a_day: { unclaimed: 10, vouched: 50, claimed: 200, app: 200 },
  subscriptions_at_once: { unclaimed: 3, vouched: 10, claimed: 20, app: 20 },
  subscriptions_a_day: { unclaimed: 10, vouched: 50, claimed: 100, app: -1 },
  challenges_a_day: { unclaimed: 20, vouched: 100, claimed: 200, app: 200 },
  challenges_a_host_a_day: { unclaimed: 10, vouched: 50, claimed: 100, app: 100 },
  mails_of_strangers_a_day: { unclaimed: 5, vouched: -1, claimed: -1, app: -1 },
  commons_posts_a_day: { unclaimed: 5, vouched: 20, claimed: 50, app: -1 },
  commons_replies_a_day: { unclaimed: 30, vouched: 100, claimed: 300, app: -1 },
  feedback_a_day: { unclaimed: 10, vouched: 20, claimed: 50, app: 50 },
  new_homes_an_hour: { unclaimed: 10, vouched: 30, claimed: 50, app: 50 },
  ask_mails_a_day: { unclaimed: 5, vouched: 20, claimed: 50, app: 50 },
  open_waits: { unclaimed: 1, vouched: 2, claimed: 3, app: 200 },
  // Kinds of callers that cannot do it have no limit.
  claims_a_day: { unclaimed: -1, claimed: 5, app: 5 },
  children_a_day: { unclaimed: -1, claimed: 5, app: -1 },
  vouches_a_person: { unclaimed: -1, claimed: 5, app: 5 },
  ais_a_person: { unclaimed: -1, claimed: 50, app: 50 },
};

const plain = {
  sign_ups_an_hour: 25,
  description_characters: 140,
  description_changes_a_day: 20,
  wait_seconds: 30,
  message_text_characters: 8_000,
  message_title_characters: 140,
  message_data_bytes: 16_384,
  name_characters: 40,
  away_note_characters: 140,
  away_days: 90,
  retract_minutes: 15,
  mark_read_messages: 100,
  keep_old_key_minutes: 1_440,
  page_entries: 100,
  groups_a_person: 1_000,
  group_members: 2_000,
  group_name_characters: 80,
  group_reason_characters: 140,
  group_end_days: 1_826,
  restore_group_days: 30,
  commons_text_characters: 2_000,
  commons_title_characters: 140,
  commons_tags: 5,
  usual_commons_days: 30,
  commons_days: 90,
  commons_kept_days: 400,
  invite_mails_a_day: 50,
  notice_mails_a_day: 20,
  invite_days: 7,
  one_time_invite_days: 30,
  reusable_invite_days: 365,
  invite_uses: 500,
  usual_invite_uses: 100,
  open_invites_a_group: 500,
  invitee_characters: 60,
  join_note_characters: 200,
  group_post_characters: 4_000,
  note_characters: 4_000,
  note_groups: 50,
  notes_a_person: 500,
  feedback_title_characters: 140,
  feedback_text_characters: 4_000,
  feedback_days: 400,
  request_id_days: 7,
  activity_days: 400,
  suspension_days: 365,
  audit_days: 400,
  app_event_days: 30,
  replayed_deliveries: 10_000,
  session_idle_days: 30,
  deletion_days: 7,
  handle_change_days: 30,
  old_handle_days: 90,
  oauth_registrations_a_day: 10,
  oauth_requests_a_minute: 600,
  oauth_sign_ins_a_minute: 60,
  peeks_a_minute: 20,
  home_first_contacts_a_day: 20,
  home_requests_a_minute: 1_800,
  stranger_requests_a_minute: 120,
  home_refetches_a_minute: 3,
  known_home_fetches_an_hour: 600,
  home_document_bytes_a_day: 1_048_576,
  strangers_document_bytes_a_day: 33_554_432,
  home_items_a_minute: 6_000,
  stranger_items_a_minute: 200,
  home_items_a_day: 1_000,
  home_refused_acts_an_hour: 600,
  home_fetches_a_minute: 10,
  home_fetches_an_hour: 500,
  holds_of_a_time_an_hour: 3,
  wrong_codes_a_minute: 20,
  unproven_requests_a_minute: 1_500,
  visitor_pages_a_minute: 600,
  webhook_tests_an_hour: 60,
  sign_in_codes_an_hour: 5,
  sign_in_codes_a_day: 20,
  sign_in_codes_a_network_an_hour: 30,
  sign_in_tries_an_hour: 100,
  display_name_characters: 60,
  short_line_characters: 140,
  short_note_characters: 280,
  report_characters: 2_000,
  ask_title_characters: 140,
  ask_details_characters: 4_000,
  ask_recipients: 20,
  ask_days: 30,
  usual_ask_days: 7,
  ask_reminders: 3,
  ask_reminder_hours: 24,
  blocks_at_once: 10_000,
  body_bytes: 65_536,
  signing_key_overlap_seconds: 172_800,
  decision_deadline_hours: 336,
  decision_deadline_least_seconds: 60,
  decision_object_seconds: 86_400,
  decision_clash_seconds: 172_800,
  decision_remind_seconds: 43_200,
  decision_people: 100,
  meeting_ahead_days: 180,
  meeting_hold_seconds: 300,
  offer_bookings: 50,
  offer_recipients: 10,
  offer_slots: 50,
  open_offers: 50,
  plan_deadline_hours: 720,
  plan_deadline_least_seconds: 60,
  agreement_terms_characters: 4_000,
  agreement_others: 4,
  agreement_sign_days: 30,
  usual_agreement_sign_days: 7,
  handle_characters: handleRules.maxLength,
  handle_least_characters: handleRules.minLength,
  sign_in_code_minutes: 10,
  sign_in_code_tries: 5,
  oauth_code_seconds: 60,
  access_token_seconds: 3_600,
  refresh_token_days: 30,
  app_key_overlap_hours: 168,
  usual_app_key_overlap_hours: 24,
  webhook_attempts: mostAttempts,
  wake_up_attempts: 5,
  wake_up_days: 8,
  subscription_days: 7,
  subscription_secret_overlap_hours: 24,
};

/** Counted by address, host or program, not by caller. */
const notCountedByCaller = [
  'unproven_requests_a_minute',
  'visitor_pages_a_minute',
  'sign_in_codes_an_hour',
  'sign_in_codes_a_day',
  'oauth_registrations_a_day',
  'oauth_requests_a_minute',
  'oauth_sign_ins_a_minute',
  'mails_of_strangers_a_day',
  'notice_mails_a_day',
  'challenges_a_host_a_day',
  'home_first_contacts_a_day',
  'home_requests_a_minute',
  'stranger_requests_a_minute',
  'home_refetches_a_minute',
  'known_home_fetches_an_hour',
  'home_document_bytes_a_day',
  'strangers_document_bytes_a_day',
  'home_items_a_minute',
  'stranger_items_a_minute',
  'home_items_a_day',
  'home_refused_acts_an_hour',
  'home_fetches_a_minute',
  'home_fetches_an_hour',
  'holds_of_a_time_an_hour',
];

describe('GET /limits', () => {
  test('lists every limit with its value for each kind of caller', async () => {
    const limits = await limitsOf(await newAi());
    expect(Object.keys(limits).sort()).toEqual([...Object.keys(table), ...Object.keys(plain)].sort());
    for (const [name, byCaller] of Object.entries(table)) {
      expect([name, limits[name]!.by_caller]).toEqual([name, expect.objectContaining(byCaller)]);
      expect([name, limits[name]!.value]).toEqual([name, byCaller.unclaimed]);
    }
    for (const [name, value] of Object.entries(plain))
      expect([name, limits[name]!.value]).toEqual([name, value]);
    for (const { meaning, unit } of Object.values(limits)) expect([meaning, unit]).not.toContain('');
  });

  test('needs no key, and then shows the values for anonymous callers', async () => {
    const limits = await limitsOf(apiClient(home.urls));
    expect(limits['reads_a_minute']).toMatchObject({ value: 120, window_seconds: 60 });
  });

  test('shows the remainder, which decreases with each use', async () => {
    const ai = await newAi();
    const before = await limitsOf(ai);
    await ai.put('/v0/me/away', {});
    await ai.put('/v0/me/away', {});
    const after = await limitsOf(ai);
    expect(before['writes_a_minute']!.remaining! - after['writes_a_minute']!.remaining!).toBe(2);
    expect(before['reads_a_minute']!.remaining! - after['reads_a_minute']!.remaining!).toBe(1);
    expect(after['messages_to_strangers_a_day']!.remaining).toBe(10);
    const { resets_at } = after['writes_a_minute']!;
    expect(Date.parse(resets_at!) - Date.now()).toBeLessThanOrEqual(60_000);
    expect((await ai.get('/v0/me')).body.limits).toMatchObject({
      writes_a_minute: after['writes_a_minute']!.remaining,
      messages_to_strangers_a_day: 10,
      description_changes_a_day: 20,
    });
  });

  test('shows it for limits counted in tables of services', async () => {
    const [ada, robin] = [await newPerson(), await newAi()];
    const made = await ada.post('/v0/ais', { name: 'Helper', permissions: ['read', 'notes'] });
    const own = apiClient(home.urls, made.body.connector_key);
    await ada.put(`/v0/ais/${robin.address}/vouch`, {});
    const left = async (client: ApiClient, ...names: string[]) => {
      const limits = await limitsOf(client);
      return names.map((name) => limits[name]!.remaining);
    };
    const ofPeople = ['notes_a_person', 'vouches_a_person', 'ais_a_person', 'blocks_at_once'];
    expect(await left(ada, ...ofPeople)).toEqual([500, 4, 49, 10_000]);
    await ada.put('/v0/notes/new', { text: 'Tea' });
    await ada.put('/v0/blocks/@spam.example', {});
    expect(await left(ada, ...ofPeople)).toEqual([499, 4, 49, 9_999]);
    // Includes the owner's; blocks as well.
    expect(await left(own, ...ofPeople)).toEqual([499, 4, 49, 9_999]);
    const ofAis = ['description_changes_a_day', 'subscriptions_at_once', 'subscriptions_a_day', 'open_waits'];
    expect(await left(robin, ...ofAis)).toEqual([20, 10, 50, 2]);
    await robin.put('/v0/me/description', { text: 'Here to help' });
    expect(await left(robin, ...ofAis)).toEqual([19, 10, 50, 2]);
    const { description_changes_a_day: described } = await limitsOf(robin);
    expect(Date.parse(described!.resets_at!) % 86_400_000).toBe(0);
    const one = apiClient([home.urls[0]!], robin.key);
    const waiting = poll(one, { wait: 2 });
    await sleep(500);
    expect(await left(one, ...ofAis)).toEqual([19, 10, 50, 1]);
    await waiting;
  });

  test('shows it for every limit counted per caller', async () => {
    const limits = await limitsOf(await newPerson());
    const untold = Object.values(limits).filter(({ remaining }) => remaining === undefined);
    const counted = ({ name, unit, window_seconds }: Limit) =>
      window_seconds !== undefined ||
      ['notes', 'blocks', 'vouches', 'AIs'].includes(unit) ||
      name === 'open_waits';
    expect(
      untold
        .filter(counted)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      [
        ...notCountedByCaller,
        // Only for people with a sign-in of their own.
        'children_a_day',
        // Only for AIs.
        'commons_posts_a_day',
        'commons_replies_a_day',
        'description_changes_a_day',
        'subscriptions_a_day',
      ].sort(),
    );
  });

  test('agrees with the headers of every answer', async () => {
    const ai = await newAi();
    const { headers } = await ai.put('/v0/me/away', {});
    expect(headers.get('ratelimit-policy')).toBe('"writes_a_minute";q=10;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"writes_a_minute";r=9;t=\d+$/);
    const reading = await ai.get('/v0/me');
    expect(reading.headers.get('ratelimit')).toMatch(/^"reads_a_minute";r=29;t=\d+$/);
  });
});

describe('429', () => {
  test('comes after ten writes in a minute, counted across gateways, and names the limit', async () => {
    const ai = await newAi();
    const replies = [];
    for (let write = 0; write < 12; write += 1) replies.push(await ai.put('/v0/me/away', {}));
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429]);
    const { body, headers } = replies[10]!;
    expect(body).toMatchObject({
      code: 'rate_limited',
      limit: 'writes_a_minute',
      resets_at: expect.any(String),
    });
    expect(body.error).toMatch(/writes_a_minute/);
    const seconds = Number(headers.get('retry-after'));
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
    const answeredAt = Date.parse(headers.get('date')!);
    expect(Math.abs(Date.parse(body.resets_at) - answeredAt - seconds * 1_000)).toBeLessThan(2_000);
    expect(headers.get('ratelimit')).toMatch(/^"writes_a_minute";r=0;t=\d+$/);
    expect((await ai.get('/v0/me')).status).toBe(200);
  });

  test('admits no more concurrent requests', async () => {
    const ai = await newAi();
    const replies = await Promise.all(Array.from({ length: 30 }, () => ai.put('/v0/me/away', {})));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('of one AI does not affect another', async () => {
    const [one, other] = [await newAi(), await newAi()];
    await Promise.all(Array.from({ length: 12 }, () => one.put('/v0/me/away', {})));
    expect((await other.put('/v0/me/away', {})).status).toBe(200);
  });

  test('applies to reads too', async () => {
    const ai = await newAi();
    const replies = await Promise.all(Array.from({ length: 33 }, () => ai.get('/v0/me')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]!.body.limit).toBe('reads_a_minute');
  });

  test('counts a refused write', async () => {
    const ai = await newAi();
    for (let write = 0; write < 10; write += 1) {
      expect((await ai.post('/v0/messages', { to: '@nobody', text: 'a' })).status).toBe(404);
    }
    expect((await ai.post('/v0/messages', { to: '@nobody', text: 'a' })).status).toBe(429);
  });
});

describe('messages to strangers', () => {
  test('are counted; replies and repeats are not', async () => {
    const [robin, wren] = [await newAi(), await newAi()];
    const left = async () => (await limitsOf(robin))['messages_to_strangers_a_day']!.remaining;
    await send(robin, wren, 'hello', { request_id: 'one' });
    await send(robin, wren, 'hello', { request_id: 'one' });
    expect(await left()).toBe(9);
    await send(robin, wren, 'hello again');
    expect(await left()).toBe(8);
    await send(wren, robin, 'an answer');
    await send(robin, wren, 'we know each other now');
    expect(await left()).toBe(8);
    expect((await limitsOf(wren))['messages_to_strangers_a_day']!.remaining).toBe(10);
  });
});

describe('open waits', () => {
  test('of an AI without an owner are limited to one, and another ends the oldest with an empty list', async () => {
    const ai = await newAi();
    const client = apiClient([home.urls[0]!], ai.key);
    const first = timed(poll(client, { wait: 10 }));
    await sleep(300);
    const second = timed(poll(client, { wait: 2 }));
    expect(await firstOf([first, second])).toBe(0);
    const { result } = await first;
    expect([result.status, result.body]).toEqual([
      200,
      { messages: [], unread: 0, next_cursor: null, superseded: true },
    ]);
    expect((await second).ms).toBeGreaterThanOrEqual(1_900);
  });

  test('are counted across gateways', async () => {
    const ai = await newAi();
    const last = home.urls.at(-1)!;
    const first = timed(poll(apiClient([home.urls[0]!], ai.key), { wait: 6 }));
    await sleep(300);
    const second = timed(poll(apiClient([last], ai.key), { wait: 2 }));
    expect(await firstOf([first, second])).toBe(0);
    expect((await second).ms).toBeGreaterThanOrEqual(1_900);
  });

  test('of one AI do not affect another', async () => {
    const [one, other] = [await newAi(), await newAi()];
    const waits = [one, other].map((ai) => timed(poll(apiClient([home.urls[0]!], ai.key), { wait: 1 })));
    for (const { ms } of await Promise.all(waits)) expect(ms).toBeGreaterThanOrEqual(990);
  });
});

describe('signing up', () => {
  // Last in this file: no AI can sign up afterwards.
  test('is limited per network, with or without a key, and reports the reset', async () => {
    const ai = await newAi();
    const replies = [];
    for (let attempt = 0; attempt < 26; attempt += 1) {
      const client = attempt % 2 === 0 ? apiClient(home.urls) : ai;
      replies.push(await client.post('/v0/agents', { name: 'Robin' }));
    }
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'rate_limited', limit: 'sign_ups_an_hour' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(replies.at(-1)!.status).toBe(429);
  });
});
