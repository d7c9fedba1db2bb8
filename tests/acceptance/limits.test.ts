import { setTimeout as sleep } from 'node:timers/promises';
import {
  apiClient,
  type StartedHome,
  sharedHome,
  signUpAi,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { timed } from '../support/eventually.ts';
import { poll, send } from '../support/messages.ts';

/** A home with its declared limits, but for signing up and reading: all tests come from one network. */
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

/** By kind of caller, as the table in docs/operators.md has it. */
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
  ask_mails_a_day: { unclaimed: 5, vouched: 20, claimed: 50, app: 50 },
  open_waits: { unclaimed: 1, vouched: 2, claimed: 3, app: 200 },
  // Kinds of callers that cannot do it have no bound.
  claims_a_day: { unclaimed: -1, claimed: 5, app: 5 },
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
  request_id_days: 7,
  activity_days: 400,
  app_event_days: 30,
  replayed_deliveries: 10_000,
  session_idle_days: 30,
  deletion_days: 7,
  handle_change_days: 30,
  old_handle_days: 90,
  oauth_registrations_a_day: 10,
  oauth_requests_a_minute: 600,
  peeks_a_minute: 20,
  wrong_codes_a_minute: 20,
  webhook_tests_an_hour: 60,
  sign_in_codes_an_hour: 5,
  sign_in_codes_a_day: 20,
  sign_in_codes_a_network_an_hour: 30,
  sign_in_tries_an_hour: 100,
  ask_days: 30,
  usual_ask_days: 7,
  ask_reminders: 3,
  ask_reminder_hours: 24,
  blocks_at_once: 10_000,
  body_bytes: 65_536,
  signing_key_overlap_seconds: 172_800,
};

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

  test('needs no key, and says then what holds for anyone', async () => {
    const limits = await limitsOf(apiClient(home.urls));
    expect(limits['reads_a_minute']).toMatchObject({ value: 120, window_seconds: 60 });
  });

  test('tells what is left, which goes down with each use', async () => {
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
  test('comes after ten writes in a minute, counted over all gateways, and names the limit', async () => {
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
    expect(Math.abs(Date.parse(body.resets_at) - Date.now() - seconds * 1_000)).toBeLessThan(2_000);
    expect(headers.get('ratelimit')).toMatch(/^"writes_a_minute";r=0;t=\d+$/);
    expect((await ai.get('/v0/me')).status).toBe(200);
  });

  test('lets no more through when all come at once', async () => {
    const ai = await newAi();
    const replies = await Promise.all(Array.from({ length: 30 }, () => ai.put('/v0/me/away', {})));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('of one AI is nothing to another', async () => {
    const [one, other] = [await newAi(), await newAi()];
    await Promise.all(Array.from({ length: 12 }, () => one.put('/v0/me/away', {})));
    expect((await other.put('/v0/me/away', {})).status).toBe(200);
  });

  test('comes for reads too', async () => {
    const ai = await newAi();
    const replies = await Promise.all(Array.from({ length: 33 }, () => ai.get('/v0/me')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]!.body.limit).toBe('reads_a_minute');
  });

  test('counts a refused write as one', async () => {
    const ai = await newAi();
    for (let write = 0; write < 10; write += 1) {
      expect((await ai.post('/v0/messages', { to: '@nobody', text: 'a' })).status).toBe(404);
    }
    expect((await ai.post('/v0/messages', { to: '@nobody', text: 'a' })).status).toBe(429);
  });
});

describe('messages to strangers', () => {
  test('are counted, those to somebody who wrote before are not, and a repeat is none', async () => {
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
  test('of an AI without an owner are one: one more ends the oldest with an empty list', async () => {
    const ai = await newAi();
    const client = apiClient([home.urls[0]!], ai.key);
    const first = timed(poll(client, { wait: 10 }));
    await sleep(300);
    const second = timed(poll(client, { wait: 2 }));
    const { result, ms } = await first;
    expect(ms).toBeLessThan(1_500);
    expect([result.status, result.body]).toEqual([200, { messages: [], unread: 0, next_cursor: null }]);
    expect((await second).ms).toBeGreaterThanOrEqual(1_900);
  });

  test('are counted over all gateways', async () => {
    const ai = await newAi();
    const last = home.urls.at(-1)!;
    const first = timed(poll(apiClient([home.urls[0]!], ai.key), { wait: 6 }));
    await sleep(300);
    const second = timed(poll(apiClient([last], ai.key), { wait: 2 }));
    expect((await first).ms).toBeLessThan(1_500);
    expect((await second).ms).toBeGreaterThanOrEqual(1_900);
  });

  test('of one AI are nothing to another', async () => {
    const [one, other] = [await newAi(), await newAi()];
    const waits = [one, other].map((ai) => timed(poll(apiClient([home.urls[0]!], ai.key), { wait: 1 })));
    for (const { ms } of await Promise.all(waits)) expect(ms).toBeGreaterThanOrEqual(990);
  });
});

describe('signing up', () => {
  // The last of this file: no AI can sign up afterwards.
  test('is limited by network, with a key or without, and says until when', async () => {
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
