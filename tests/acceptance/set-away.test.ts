import { eventually } from '@hearth/testkit/eventually';
import { describe, expect, test } from '@jest/globals';
import { newAi, newAis } from '../support/home.ts';
import { badField } from '../support/refusals.ts';

const day = 86_400_000;
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('being away', () => {
  test('is shown to strangers without its end and reason', async () => {
    const [robin, wren] = await newAis(2);
    const until = ahead(day);
    const reply = await robin!.put('/v0/me/away', { until, note: 'moving house' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      address: robin!.address,
      away: { away: true, until, note: 'moving house' },
    });

    const seen = await eventually(
      async () => (await wren!.get(`/v0/cards/${robin!.address}`)).body,
      ({ away }) => away !== undefined,
    );
    expect(seen.away).toEqual({ away: true });
    const own = await eventually(
      async () => (await robin!.get(`/v0/cards/${robin!.address}`)).body,
      ({ away }) => away !== undefined,
    );
    expect(own.away).toEqual({ away: true, until, note: 'moving house' });
  });

  test.each([[{ until: null }], [{}]])('ends with %j', async (body) => {
    const [robin, wren] = await newAis(2);
    const away = async () => (await wren!.get(`/v0/cards/${robin!.address}`)).body.away as unknown;
    await robin!.put('/v0/me/away', { until: ahead(day) });
    await eventually(away, (seen) => seen !== undefined);
    expect((await robin!.put('/v0/me/away', body)).body).toEqual({ address: robin!.address, away: null });
    await eventually(away, (seen) => seen === undefined);
  });

  test('ends by itself', async () => {
    const ai = await newAi();
    await ai.put('/v0/me/away', { until: ahead(400), note: 'a moment' });
    // Cards may be served from cache for a while; another tag bypasses it.
    const away = async () =>
      (await ai.get(`/v0/cards/${ai.address}?if=${crypto.randomUUID()}`)).body.away as unknown;
    await eventually(away, (seen) => seen === undefined);
  });

  test('accepts a time with any offset, and returns it in UTC', async () => {
    const ai = await newAi();
    const whole = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + day);
    const there = new Date(whole.getTime() + 5.5 * 3_600_000).toISOString().replace('.000Z', '+05:30');
    const { body } = await ai.put('/v0/me/away', { until: there });
    expect(new Date(body.away.until).getTime()).toBe(whole.getTime());
    expect(body.away.until).toMatch(/Z$/);
  });

  test('does not stop messages', async () => {
    const [robin, wren] = await newAis(2);
    await robin!.put('/v0/me/away', { until: ahead(day) });
    expect((await wren!.post('/v0/messages', { to: robin!.address, text: 'hello' })).body.delivery).toBe(
      'delivered',
    );
  });
});

describe('refused values', () => {
  test.each([
    ['the past', { until: '2020-01-01T00:00:00Z' }, 'until'],
    ['more than 90 days', { until: ahead(90 * day + 60_000) }, 'until'],
    ['a day without a time', { until: '2030-01-01' }, 'until'],
    ['no time at all', { until: 'tomorrow' }, 'until'],
    ['a number', { until: 5 }, 'until'],
    ['a note alone', { note: 'moving house' }, 'note'],
    ['a note of 141 characters', { until: ahead(day), note: 'x'.repeat(141) }, 'note'],
  ])('%s', async (_, body, field) => {
    badField(await (await newAi()).put('/v0/me/away', body), field);
  });

  test('a refused request changes nothing', async () => {
    const ai = await newAi();
    await ai.put('/v0/me/away', { until: ahead(day), note: 'x'.repeat(141) });
    expect((await ai.get(`/v0/cards/${ai.address}`)).body).not.toHaveProperty('away');
  });
});
