import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { CallerKind } from '@hearth/proto/options';
import { failure } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ids } from './stand-ins.ts';
import { callerOf } from './start-streams.ts';
import { deaf, newSecret, secret, startSubscriptions } from './start-subscriptions.ts';
import { expectSigned } from './wake-up-receiver.ts';

const home = await startSubscriptions();
afterAll(() => home.stop());
beforeEach(() => {
  home.receiver.arrived.length = 0;
  home.receiver.challenged(null);
  home.receiver.always({ status: 204 });
});

const refused = { kind: 'bad_request', details: { code: 'callback_challenge_failed', field: 'url' } };
const words = 'the callback URL did not return the challenge';

describe('the challenge', () => {
  test('is returned before anything is sent', async () => {
    const robin = home.newAi();
    const made = await home.subscribe(robin);
    expect(home.receiver.arrived).toHaveLength(1);
    const [asked] = home.receiver.arrived;
    expect(asked!.body).toEqual({
      to: home.receiver.url,
      type: 'verification',
      challenge: expect.stringMatching(/^\w{43}$/),
    });
    expect(asked!.headers['webhook-id']).toMatch(/^msg_verification_[0-9a-f]{32}$/);
    expect(asked!.headers['x-mcp-subscription-id']).toBe(made.id);
    expectSigned(asked!, [secret], home.federation);
  });

  test.each([
    [
      'something else',
      { status: 200, body: JSON.stringify({ challenge: 'x'.repeat(43) }) },
      'challenge_failed',
    ],
    ['no JSON', { status: 200, body: 'challenge' }, 'challenge_failed'],
    ['null', { status: 200, body: 'null' }, 'challenge_failed'],
    ['nothing', { status: 204 }, 'challenge_failed'],
    ['a number', { status: 200, body: '{"challenge":1}' }, 'challenge_failed'],
    ['not found', { status: 404 }, 'http_4xx'],
    ['a server error', { status: 503 }, 'http_5xx'],
    ['a redirect', { status: 302, headers: { location: '/hook' } }, 'http_4xx'],
  ])('fails with %s', async (_what, manner, reason) => {
    const robin = home.newAi();
    home.receiver.challenged(manner);
    const failed = home.subscribe(robin);
    const message = expect.stringMatching(`^${words}: [^:]+`);
    await expect(failed).rejects.toMatchObject({ ...refused, message, details: { reason } });
    expect(await home.list(robin)).toEqual([]);
    expect(home.receiver.arrived).toHaveLength(1);
  });

  test('fails when the right answer has an error status', async () => {
    home.receiver.challenged((response, { body }) =>
      response.writeHead(400).end(JSON.stringify({ challenge: body.challenge })),
    );
    await expect(home.subscribe(home.newAi())).rejects.toMatchObject({ details: { reason: 'http_4xx' } });
  });

  test('fails when the connection breaks, or after ten seconds without an answer', async () => {
    home.receiver.challenged((response) => response.destroy());
    await expect(home.subscribe(home.newAi())).rejects.toMatchObject({
      details: { reason: 'connection_refused' },
    });
    home.receiver.challenged(() => {});
    const start = performance.now();
    await expect(home.subscribe(home.newAi())).rejects.toMatchObject({
      message: `${words}: no answer came within ten seconds`,
      details: { reason: 'timeout' },
    });
    expect(performance.now() - start).toBeGreaterThan(9_500);
    expect(performance.now() - start).toBeLessThan(18_000);
  });

  test('is valid for thirty days, for that AI and address', async () => {
    const robin = await home.subscriber();
    await home.subscribe(robin, { name: 'ask.answered' });
    await home.subscribe(robin);
    expect(home.receiver.arrived).toHaveLength(1);
    await home.subscribe(robin, { url: home.other.url });
    await home.subscribe(home.newAi());
    expect([home.receiver.arrived.length, home.other.arrived.length]).toEqual([2, 1]);
    home.clock.advance(31 * day);
    await home.subscribe(robin);
    expect(home.receiver.arrived).toHaveLength(3);
  });

  test('is not sent while the home cannot sign', async () => {
    home.federation.signs = false;
    const failed = home.subscribe(home.newAi());
    expect(await failure(failed)).toBe('unavailable unavailable');
    home.federation.signs = true;
    expect(home.receiver.arrived).toEqual([]);
  });
});

describe('the request to subscribe', () => {
  test.each([
    ['no base64', 'whsec_***'],
    ['too few bytes', newSecret(23)],
    ['too many bytes', newSecret(65)],
    ['no prefix', newSecret().slice(6)],
    ['nothing', ''],
  ])('refuses an invalid secret: %s', async (_what, given) => {
    const failed = home.subscribe(home.newAi(), { secret: given });
    expect(await failure(failed)).toBe('bad_request bad_field secret');
  });

  test.each([24, 64])('accepts a secret of %i bytes', async (bytes) => {
    await home.subscribe(home.newAi(), { secret: newSecret(bytes) });
  });

  test.each([
    'robin.example',
    'http://robin.example/hook',
    'https://localhost/hook',
    'https://127.0.0.1/hook',
    'https://10.1.2.3/hook',
    'https://[::1]/hook',
    'https://169.254.169.254/latest',
    'https://user:password@robin.example/',
    'https://robin.example:22/',
    'ftp://robin.example/',
    'http://127.0.0.1:1/hook',
    `https://robin.example/${'x'.repeat(3_000)}`,
  ])('refuses an invalid address: %s', async (url) => {
    const failed = home.subscribe(home.newAi(), { url });
    expect(await failure(failed)).toBe('bad_request bad_field url');
  });

  test('needs a known event and a genuine cursor', async () => {
    const robin = home.newAi();
    await expect(home.subscribe(robin, { name: 'message.direkt' })).rejects.toMatchObject({
      details: { field: 'name' },
      message: expect.stringContaining('did you mean message.direct'),
    });
    expect(await failure(home.subscribe(robin, { cursor: 'abc' }))).toBe('bad_request bad_field cursor');
    const others = await home.poll(home.newAi());
    expect(await failure(home.subscribe(robin, { cursor: others.cursor }))).toBe(
      'bad_request bad_field cursor',
    );
  });

  test('of an AI without an owner is limited to what happens to itself', async () => {
    const [robin, wren] = [home.newAi(), home.newAi()];
    for (const name of ['message.direct', 'commons.reply', 'ask.answered'])
      await home.subscribe(robin, { name });
    for (const name of ['agreement.updated', 'meeting.booked', 'meeting.cancelled'])
      await home.subscribe(wren, { name });
    for (const name of ['decision.needs_you', 'approval.requested', 'plan.proposed'])
      await expect(home.subscribe(robin, { name })).rejects.toMatchObject({
        kind: 'forbidden',
        message: expect.stringContaining('message.direct, commons.reply'),
      });
    const owned = home.newAi(home.newPerson());
    await home.subscribe(owned, { name: 'approval.requested' });
  });

  test('may name a group of the person, for events of groups', async () => {
    const ada = home.newPerson();
    const robin = home.newAi(ada);
    const [club, board] = [1, 2].map((number) => ({
      id: ids.uuid(),
      handle: `club-${number}`,
      name: 'Club',
      app: '',
    }));
    home.world.groups.push(club!, board!);
    home.world.members.set(ada.id, [club!.id]);
    const group = printId('grp', club!.id);
    const made = await home.subscribe(robin, { group });
    expect(made.group).toBe(group);
    expect((await home.subscribe(robin)).id).not.toBe(made.id);
    for (const wrong of [printId('grp', board!.id), printId('grp', ids.uuid()), 'club-1', club!.id])
      expect(await failure(home.subscribe(robin, { group: wrong }))).toBe('bad_request bad_field group');
    expect(await failure(home.subscribe(robin, { name: 'ask.answered', group }))).toBe(
      'bad_request bad_field group',
    );
    expect(await failure(home.subscribe(home.newAi(), { group }))).toBe('bad_request bad_field group');
  });
});

describe('a subscription', () => {
  test('keeps its id for the same request, across renewals, its end and another secret', async () => {
    const robin = home.newAi();
    const made = await home.subscribe(robin);
    expect(made.id).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(made).toMatchObject({ name: 'message.direct', url: home.receiver.url, truncated: false });
    expect(made.deliveryStatus).toMatchObject({ active: true });
    expect((await home.subscribe(robin, { secret: newSecret() })).id).toBe(made.id);
    expect(await home.list(robin)).toHaveLength(1);
    await home.by(callerOf(robin)).unsubscribe({ id: 'me', subscription: made.id });
    expect((await home.subscribe(robin)).id).toBe(made.id);
    expect((await home.subscribe(home.newAi())).id).not.toBe(made.id);
    expect((await home.subscribe(robin, { url: `${home.receiver.url}?a` })).id).not.toBe(made.id);
    expect((await home.subscribe(robin, { name: 'ask.answered' })).id).not.toBe(made.id);
  });

  test.each([
    [undefined, 7 * day],
    [60n * 60_000n, 60 * minute],
    [1n, minute],
    [8n * BigInt(day), 7 * day],
    [BigInt(7 * day), 7 * day],
  ])('requested for %s ms lasts %i ms', async (ttlMs, lasts) => {
    const { refreshBefore } = await home.subscribe(home.newAi(), ttlMs === undefined ? {} : { ttlMs });
    expect(timestampDate(refreshBefore!).getTime() - home.clock.now()).toBe(lasts);
  });

  test('is stored without its secret in the clear', async () => {
    const own = newSecret();
    await home.subscribe(home.newAi(), { secret: own });
    const rows = await home.database.db.query<{ row: string }>(
      sql`select s::text as row from delivery.subscriptions s`,
    );
    const hex = Buffer.from(own.slice(6), 'base64').toString('hex');
    for (const { row } of rows) {
      expect(row).not.toContain(own.slice(6));
      expect(row).not.toContain(hex);
    }
  });

  test('is listed until it ends, to its own AI', async () => {
    const [robin, wren] = [home.newAi(), home.newAi()];
    const first = await home.subscribe(robin);
    const second = await home.subscribe(robin, { name: 'ask.answered', ttlMs: 60_000n });
    expect((await home.list(robin)).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    expect(await home.list(wren)).toEqual([]);
    await home.pass(61_000);
    expect((await home.list(robin)).map(({ id }) => id)).toEqual([first.id]);
  });

  test('is stopped once, by its own AI', async () => {
    const [robin, wren] = [home.newAi(), home.newAi()];
    const { id } = await home.subscribe(robin);
    const stop = (ai: typeof robin, subscription: string) =>
      home.by(callerOf(ai)).unsubscribe({ id: 'me', subscription });
    expect(await failure(stop(wren, id))).toBe('not_found not_found');
    expect(await failure(stop(robin, printId('sub', ids.uuid())))).toBe('not_found not_found');
    await stop(robin, id);
    expect(await failure(stop(robin, id))).toBe('not_found not_found');
    await home.woken(robin);
    expect(home.receiver.messages()).toEqual([]);
  });

  test('is stopped by its name and address', async () => {
    const robin = await home.subscriber();
    const from = (request: { name: string; url: string }) =>
      home.by(callerOf(robin)).unsubscribeFrom(request);
    expect(await failure(from({ name: 'ask.answered', url: home.receiver.url }))).toBe('not_found not_found');
    await from({ name: 'message.direct', url: home.receiver.url });
    expect(await home.list(robin)).toEqual([]);
    expect(await failure(from({ name: 'message.direct', url: home.receiver.url }))).toBe(
      'not_found not_found',
    );
  });

  test('can be created by an app for AIs of the person it acts for', async () => {
    const ada = home.newPerson();
    const [robin, wren] = [home.newAi(ada), home.newAi(home.newPerson())];
    const caller = callerOf(robin, { kind: CallerKind.PERSON, id: ada.id, person: '', app: ids.uuid() });
    const ask = (id: string) =>
      home
        .by(caller)
        .subscribe({ id, name: 'approval.requested', url: home.receiver.url, secret }, { timeoutMs: 15_000 });
    await ask(printId('ai', robin.id));
    expect(await home.list(robin)).toHaveLength(1);
    for (const id of [printId('ai', wren.id), printId('ai', ids.uuid()), 'x'])
      expect(await failure(ask(id))).toBe('not_found not_found');
    expect(await failure(ask('me'))).toBe('bad_request bad_field id');
  });
});

describe('limits', () => {
  test('an AI without an owner has three at once', async () => {
    const robin = home.newAi();
    const at = (path: string) => home.subscribe(robin, { url: `${home.receiver.origin}/${path}` });
    for (const path of ['a', 'b', 'c']) await at(path);
    await expect(at('d')).rejects.toMatchObject({
      kind: 'bad_request',
      details: { code: 'cap_reached', limit: 'subscriptions_at_once' },
    });
    expect(home.receiver.arrived).toHaveLength(3);
    await at('a');
    const [first] = await home.list(robin);
    await home.by(callerOf(robin)).unsubscribe({ id: 'me', subscription: first!.id });
    await at('d');
  });

  test('and the limit holds for concurrent requests', async () => {
    const robin = home.newAi();
    const tries = Array.from({ length: 12 }, (_, index) =>
      home.subscribe(robin, { url: `${home.receiver.origin}/${index}` }),
    );
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await home.list(robin)).toHaveLength(3);
  });

  test('failed challenges count too', async () => {
    const robin = home.newAi();
    const at = (url: string) => home.subscribe(robin, { url });
    home.receiver.challenged({ status: 404 });
    const count = () => home.receiver.arrived.length;
    const before = count();
    for (let index = 0; index < 10; index += 1)
      await expect(at(`${home.receiver.origin}/${index}`)).rejects.toMatchObject(refused);
    await expect(at(`${home.receiver.origin}/10`)).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'challenges_a_host_a_day' },
    });
    expect(count() - before).toBe(10);
    home.receiver.challenged(null);
  });

  test('an AI can trigger twenty challenges a day, across all hosts', async () => {
    const robin = home.newAi();
    for (const origin of deaf) {
      for (let index = 0; index < 10; index += 1)
        await expect(home.subscribe(robin, { url: `${origin}/${index}` })).rejects.toMatchObject(refused);
    }
    await expect(home.subscribe(robin)).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'challenges_a_day' },
    });
    expect(home.receiver.arrived).toEqual([]);
  });

  test('an AI can add ten subscriptions a day; renewals do not count, and the next day starts over', async () => {
    const robin = home.newAi();
    const at = (path: string) => home.subscribe(robin, { url: `${home.receiver.origin}/${path}` });
    const stop = async () => {
      for (const { id } of await home.list(robin))
        await home.by(callerOf(robin)).unsubscribe({ id: 'me', subscription: id });
    };
    const first = home.clock.now();
    for (let index = 0; index < 9; index += 1) {
      await at('same');
      await stop();
    }
    await at('last');
    await at('last');
    await expect(at('other')).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'subscriptions_a_day', resetsAt: new Date(first + day) },
    });
    home.clock.advance(day + 1_000);
    await at('other');
  });
});
