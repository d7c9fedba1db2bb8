import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, HearthError, notFound, rateLimited } from '@hearth/errors';
import { Via } from '@hearth/proto/common/v1/caller';
import {
  PollEventsResponseSchema,
  SubscriptionSchema,
  SubscriptionsService,
} from '@hearth/proto/delivery/v1/subscriptions';
import type { Caller, Handlers } from '@hearth/rpc';
import { fake } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { useGateways } from '../support/use-gateways.ts';
import { errorOf, legacy, lifecycles, modern, type Result } from './rpc.ts';

const key = 'key-of-robin';
const start = useGateways();
type Some = Partial<Handlers<typeof SubscriptionsService>>;

/** A home whose delivery service is these handlers. */
const startWith = (some: Some, env: Record<string, string> = {}) =>
  start({ env, fakes: [fake(SubscriptionsService, some)] });

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const url = 'https://robin.example/hooks';
const at = timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5, 678));

describe.each(lifecycles)('over revision %s', (_, lifecycle) => {
  test("events/list returns the home's events", async () => {
    const events = [
      {
        name: 'message.direct',
        description: 'Somebody wrote.',
        delivery: ['webhook', 'poll'],
        inputSchema: { type: 'object' },
        payloadSchema: { type: 'object' },
      },
    ];
    const home = await startWith({ listEvents: async () => ({ events }) });
    const { result } = (await lifecycle(home.url, key)('events/list')).json as Result;
    expect(result).toMatchObject({ resultType: 'complete', events });
  });

  test('events/poll reads an event from a cursor on', async () => {
    const asked: unknown[] = [];
    const seen: Caller[] = [];
    const home = await startWith({
      pollEvents: async (request, { caller }) => {
        asked.push(request);
        seen.push(caller);
        return create(PollEventsResponseSchema, {
          events: [
            { eventId: 'evt_1', name: 'message.direct', timestamp: at, data: { message_id: 'msg_1' } },
          ],
          cursor: 'c2',
          nextPollMs: 5_000,
          hasMore: true,
        });
      },
    });
    const params = {
      name: 'message.direct',
      arguments: { group: '&us' },
      cursor: 'c1',
      maxAgeMs: 60_000,
      maxEvents: 1_000_000,
    };
    const { result } = (await lifecycle(home.url, key)('events/poll', params)).json as Result;
    expect(result).toMatchObject({
      resultType: 'complete',
      events: [
        {
          eventId: 'evt_1',
          name: 'message.direct',
          timestamp: '2026-01-02T03:04:05.678Z',
          data: { message_id: 'msg_1' },
        },
      ],
      cursor: 'c2',
      truncated: false,
      hasMore: true,
      nextPollMs: 5_000,
    });
    expect(asked).toMatchObject([
      { id: 'me', name: 'message.direct', group: '&us', cursor: 'c1', maxAgeMs: 60_000n, limit: 100 },
    ]);
    expect(seen).toMatchObject([{ via: Via.MCP }]);
  });

  test('events/poll starts now without a cursor, or with null', async () => {
    const asked: { cursor?: string | undefined }[] = [];
    const home = await startWith({
      pollEvents: async ({ cursor }) => {
        asked.push({ cursor });
        return { cursor: 'c1', nextPollMs: 30_000 };
      },
    });
    const rpc = lifecycle(home.url, key);
    await rpc('events/poll', { name: 'ask.answered' });
    const { json } = await rpc('events/poll', {
      name: 'ask.answered',
      arguments: null,
      cursor: null,
      maxAgeMs: null,
      maxEvents: null,
    });
    expect((json as Result).result).toMatchObject({
      events: [],
      cursor: 'c1',
      truncated: false,
      hasMore: false,
    });
    expect(asked).toEqual([{ cursor: undefined }, { cursor: undefined }]);
  });

  test('events/subscribe returns when to renew, and events/unsubscribe returns nothing', async () => {
    const asked: unknown[] = [];
    const home = await startWith({
      subscribe: async (request) => {
        asked.push(request);
        return create(SubscriptionSchema, {
          id: 'sub_1',
          refreshBefore: at,
          cursor: 'c1',
          truncated: true,
          deliveryStatus: { active: true, lastDeliveryAt: at, lastError: 'http_5xx' },
          name: 'message.direct',
          url,
        });
      },
      unsubscribeFrom: async (request) => {
        asked.push(request);
        return {};
      },
    });
    const rpc = lifecycle(home.url, key);
    const what = { name: 'message.direct', arguments: { group: 'grp_1' } };
    const subscribed = await rpc('events/subscribe', {
      ...what,
      delivery: { mode: 'webhook', url, secret },
      cursor: 'c0',
      // Beyond the maximum, to which it is cut.
      ttlMs: 8 * 86_400_000,
      maxAgeMs: 1_000,
    });
    const { result } = subscribed.json as Result;
    expect(result).toMatchObject({
      resultType: 'complete',
      id: 'sub_1',
      refreshBefore: '2026-01-02T03:04:05.678Z',
      cursor: 'c1',
      truncated: true,
      deliveryStatus: { active: true, lastDeliveryAt: '2026-01-02T03:04:05.678Z', lastError: 'http_5xx' },
    });
    expect(result).not.toHaveProperty('url');
    const ended = await rpc('events/unsubscribe', { ...what, delivery: { url } });
    expect((ended.json as Result).result).toMatchObject({ resultType: 'complete' });
    const narrowed = { name: 'message.direct', url, group: 'grp_1' };
    expect(asked).toMatchObject([
      { ...narrowed, id: 'me', secret, cursor: 'c0', ttlMs: 604_800_000n, maxAgeMs: 1_000n },
      narrowed,
    ]);
    expect(subscribed.text).not.toContain(secret);
  });
});

describe('an error', () => {
  const delivery = { mode: 'webhook', url, secret };
  const subscribe = { name: 'message.direct', delivery };

  test.each([
    ['events/poll', {}, -32_602],
    ['events/poll', { name: 5 }, -32_602],
    ['events/poll', { name: 'message.direct', arguments: [] }, -32_602],
    ['events/poll', { name: 'message.direct', arguments: { colour: 'red' } }, -32_602],
    ['events/poll', { name: 'message.direct', arguments: { group: 5 } }, -32_602],
    ['events/poll', { name: 'message.direct', cursor: 5 }, -32_602],
    ['events/poll', { name: 'message.direct', maxEvents: 0 }, -32_602],
    ['events/poll', { name: 'message.direct', maxEvents: 'all' }, -32_602],
    ['events/poll', { name: 'message.direct', maxAgeMs: -1 }, -32_602],
    ['events/poll', { name: 'message.indirect' }, -32_011],
    ['events/list', { cursor: 'x' }, -32_602],
    ['events/subscribe', { name: 'message.direct' }, -32_602],
    ['events/subscribe', { ...subscribe, delivery: { ...delivery, secret: undefined } }, -32_602],
    ['events/subscribe', { ...subscribe, delivery: { ...delivery, url: undefined } }, -32_602],
    ['events/subscribe', { ...subscribe, ttlMs: 0 }, -32_602],
    ['events/subscribe', { ...subscribe, name: 'nope' }, -32_011],
    ['events/subscribe', { ...subscribe, delivery: { ...delivery, mode: 'stream' } }, -32_014],
    ['events/unsubscribe', { name: 'message.direct', delivery: {} }, -32_602],
    ['events/unsubscribe', { name: 'nope', delivery: { url } }, -32_011],
  ])('%s %j has the number %d', async (method, params, code) => {
    const home = await startWith({
      pollEvents: async () => ({}),
      subscribe: async () => ({}),
      listEvents: async () => ({}),
      unsubscribeFrom: async () => ({}),
    });
    for (const rpc of [legacy(home.url, key), modern(home.url, key)]) {
      const answer = await rpc(method, params);
      expect([answer.status, errorOf(answer).code]).toEqual([200, code]);
      expect(errorOf(answer).message).toMatch(/^[a-zA-Z.]+(?:: |\s)/);
      const [, field] = /^([a-zA-Z.]+): /.exec(errorOf(answer).message) ?? [];
      if (code === -32_602)
        expect([field, errorOf(answer).data]).toEqual([field, expect.objectContaining({ field })]);
    }
  });

  test.each([
    [
      'a bad address',
      badField('url', 'must be https'),
      -32_602,
      { code: 'bad_field', field: 'delivery.url' },
    ],
    ['no such thing', notFound(), -32_011, { code: 'not_found', kind: 'event' }],
    ['a secret of the wrong form', badField('secret', 'must be whsec_ and base64'), -32_602, {}],
    [
      'an address that does not answer',
      new HearthError('bad_request', 'the callback URL did not return the challenge', {
        code: 'callback_challenge_failed',
      }),
      -32_015,
      { reason: 'challenge_failed' },
    ],
    [
      'an address that is not there',
      new HearthError('bad_request', 'the callback URL did not return the challenge', {
        code: 'callback_challenge_failed',
        reason: 'connection_refused',
      }),
      -32_015,
      { reason: 'connection_refused' },
    ],
    [
      'as many as there may be',
      new HearthError('bad_request', 'enough', { code: 'cap_reached', limit: 'reads_a_minute' }),
      -32_013,
      { limit: 'reads_a_minute', max: 120 },
    ],
    [
      'too many a day',
      rateLimited('writes_a_minute', new Date(0)),
      -32_013,
      { limit: 'writes_a_minute', max: 10 },
    ],
    ['what may not be', new HearthError('forbidden', 'no', { code: 'no_permission' }), -32_012, {}],
    ['what is not built', new HearthError('not_built', 'not yet', { code: 'not_built' }), -32_014, {}],
    ['delivery away', new HearthError('unavailable', 'away', { code: 'unavailable' }), -32_603, {}],
  ])('of delivery, %s, has its number', async (_, error, code, data) => {
    const home = await startWith({ subscribe: () => Promise.reject(error) });
    for (const rpc of [legacy(home.url, key), modern(home.url, key)]) {
      const told = errorOf(await rpc('events/subscribe', subscribe));
      expect(told).toMatchObject({ code, data });
      const words = error.details.field === undefined ? error.message : `delivery.${error.message}`;
      expect(told.message).toBe(words);
    }
  });

  test('says what was not found', async () => {
    const home = await startWith({ unsubscribeFrom: () => Promise.reject(notFound()) });
    const answer = await modern(home.url, key)('events/unsubscribe', {
      name: 'ask.answered',
      delivery: { url },
    });
    expect(errorOf(answer)).toMatchObject({ code: -32_011, data: { kind: 'subscription' } });
  });

  test('about a limit includes its value', async () => {
    const env = { HEARTH_LIMITS: JSON.stringify({ writes_a_minute: 1 }) };
    const home = await startWith({ subscribe: async () => ({ id: 'sub_1' }) }, env);
    const rpc = modern(home.url, key);
    await rpc('events/subscribe', subscribe);
    expect(errorOf(await rpc('events/subscribe', subscribe))).toMatchObject({
      code: -32_013,
      data: { limit: 'writes_a_minute', max: 1 },
    });
  });
});
