import { sampled } from '@hearth/testkit/sample';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'undici';
import { startWholeHome } from '../support/whole-home.ts';

/**
 * Invite codes and claim links are all that stands between a stranger and a group or an AI: a caller who guesses is
 * slowed down, and no other caller is.
 */

const guesses = sampled(1_000, 10_000);
const guesser = '203.0.113.7';
const neighbour = '198.51.100.9';

// The tests send from many addresses at once, as behind a proxy.
const env = { HEARTH_LIMITS: '{"sign_ups_an_hour": null}', HEARTH_TRUSTED_PROXIES: 'loopback' };
const home = await startWholeHome({ env, logLevel: 'warn' });
const pool = new Pool(home.url, { connections: 16 });
const app = await home.newApp({ name: 'Planner' });
const personId = (await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' })).body.id;
const acting = { 'svc-acting-for': personId };
const group = (await app.post('/v0/groups', { name: 'Book club' }, acting)).body.id;
const invite = await app.post(`/v0/groups/${group}/invites`, { reusable: true }, acting);
const code = invite.body.code;
afterAll(async () => {
  await pool?.close();
  await home.stop();
});

async function request(from: string, method: string, path: string, body?: unknown): Promise<number> {
  const { statusCode, body: answer } = await pool.request({
    method: method as 'GET',
    path,
    headers: {
      'x-forwarded-for': from,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await answer.dump();
  return statusCode;
}

/** Counts each status. */
async function count(
  times: number,
  ask: (index: number) => Promise<number>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const status = await ask(next++);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return counts;
}

const wrong = (index: number) => `${index}`.padStart(22, 'x');
const guest = { name: 'Gus', birth_year_month: '1980-05' };

describe('guesses', () => {
  test('of invite codes are throttled per address', async () => {
    const looked = await count(guesses, (index) => request(guesser, 'GET', `/v0/invites/${wrong(index)}`));
    // Twenty a minute are answered; a new minute may begin while they are sent.
    expect(looked[200]).toBeLessThanOrEqual(60);
    expect(looked[429]).toBe(guesses - looked[200]!);
    expect(await request(guesser, 'GET', `/v0/invites/${code}`)).toBe(429);
    expect(await request(neighbour, 'GET', `/v0/invites/${code}`)).toBe(200);
  });

  test('through joining are throttled as well', async () => {
    const from = '203.0.114.7';
    const tried = await count(guesses / 5, (index) =>
      request(from, 'POST', `/v0/invites/${wrong(index)}/accept`, { guest }),
    );
    expect(Object.keys(tried).sort()).toEqual(['404', '429']);
    expect(tried[404]).toBeLessThanOrEqual(60);
    expect(await request(neighbour, 'POST', `/v0/invites/${code}/accept`, { guest })).toBe(200);
  });

  test('of claim links are throttled, also for an app that acts for a person', async () => {
    const counts: Record<number, number> = {};
    for (let index = 0; index < 200; index += 1) {
      const { status } = await app.post(
        '/v0/ais/claim',
        { token: wrong(index).repeat(2).slice(0, 43) },
        { 'svc-acting-for': personId, 'x-forwarded-for': '203.0.115.7' },
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
    expect(Object.keys(counts).sort()).toEqual(['404', '429']);
    expect(counts[404]).toBeLessThanOrEqual(60);
  });
});
