import { toJsonString } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import {
  DestinationSchema,
  DestinationState,
  ListAllDeliveriesResponseSchema,
} from '@hearth/proto/delivery/v1/admin_deliveries';
import { DeliveryState } from '@hearth/proto/delivery/v1/app_deliveries';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { asPerson, eventually, failure, operator, textOf } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ids, type KnownApp } from './stand-ins.ts';
import { newApp, snapshot, startApps, type TestApps } from './start-apps.ts';
import type { TestDelivery } from './start-delivery.ts';
import { startSubscriptions, type TestSubscriptions } from './start-subscriptions.ts';

const reason = 'The receiver was moved';

const allOf = (home: TestDelivery, request?: object, limit?: number) => home.allDeliveries(request, limit);
const destinationsOf = (home: TestDelivery, request?: object, limit?: number) =>
  home.allDestinations(request, limit);
const resume = (home: TestDelivery, id: string, why = reason) =>
  home.by(operator).resumeDestination({ id, reason: why });

/** Counts the logged events of one type. */
async function announced(home: TestDelivery, type: string): Promise<number> {
  const { count } = await home.database.db.one<{ count: number }>(
    sql`select count(*) from delivery.events where type = ${type}`,
  );
  return count;
}

describe('events for apps', () => {
  let home: TestApps;
  let seq = 0;

  beforeEach(async () => {
    home = await startApps();
  });
  afterEach(() => home.stop());

  const happen = (app: KnownApp = home.one) => {
    seq += 1;
    return home.happen('memberLeft', {
      ...home.inClub(seq),
      apps: [app.id],
      person: snapshot(home.ada),
    });
  };
  const app = (known: KnownApp = home.one) => printId('app', known.id);
  const show = (id: string, destination = app()) => home.by(operator).showDelivery({ destination, id });
  const replay = (request: object, of = app()) =>
    home.by(operator).replayForApp({ app: of, reason, ...request });
  const since = () => timestampFromMs(home.clock.now() - hour);
  const settled = (count: number) =>
    eventually(async () => (await allOf(home, { status: DeliveryState.WAITING })).length === 0).then(
      async () => expect(await allOf(home, {})).toHaveLength(count),
    );

  test('are listed newest first, page by page, in every state', async () => {
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.unshift((await happen(index % 2 === 0 ? home.one : home.other)).id);
      home.clock.advance(minute);
    }
    // Two events with the same time.
    made.unshift((await happen(home.one)).id);
    const twin = (await happen(home.other)).id;
    await settled(9);
    for (const limit of [1, 2, 100]) {
      const found = await allOf(home, {}, limit);
      expect(found.slice(2).map(({ id }) => id)).toEqual(made.slice(1));
      expect(found.slice(0, 2).map(({ id }) => id)).toEqual(expect.arrayContaining([made[0], twin]));
      expect(new Set(found.map(({ status }) => status))).toEqual(new Set([DeliveryState.DELIVERED]));
    }
    const ofOther = await allOf(home, { destination: app(home.other) }, 2);
    expect(ofOther.map(({ id }) => id)).toEqual([twin, made[2], made[4], made[6]]);
    expect(new Set(ofOther.map(({ destination }) => destination))).toEqual(new Set([app(home.other)]));
    const late = await allOf(home, { since: timestampFromMs(home.clock.now() - 90_000) });
    expect(late).toHaveLength(3);
    expect(await allOf(home, { status: DeliveryState.FAILED })).toEqual([]);
  });

  test('are shown without their content, and addresses only with their origin', async () => {
    home.first.always({ status: 500, body: 'a secret of theirs' });
    const { id } = await happen();
    await eventually(async () => (await allOf(home, {})).some(({ attemptCount }) => attemptCount > 0));
    const [delivery] = await allOf(home, { status: DeliveryState.WAITING });
    expect(delivery).toMatchObject({
      id,
      destination: app(),
      kind: 'app',
      type: 'member.left',
      attemptCount: 1,
      lastError: 'http_5xx',
      attempts: [],
    });
    expect(delivery?.nextAttemptAt).toBeDefined();
    const whole = await show(id);
    expect(whole).toMatchObject({
      id,
      status: DeliveryState.WAITING,
      attempts: [{ status: 500, error: 'http_5xx' }],
    });
    const page = await home.by(operator).listAllDeliveries({});
    const [destination] = await destinationsOf(home);
    expect(destination).toMatchObject({
      id: app(),
      kind: 'app',
      origin: home.first.origin,
      owner: 'Team Planner',
      status: DestinationState.FAILING,
      waiting: 1,
      lastError: 'http_5xx',
    });
    const seen =
      toJsonString(ListAllDeliveriesResponseSchema, page) + toJsonString(DestinationSchema, destination!);
    for (const hidden of ['Ada', 'secret', '/events', home.one.secrets[0]!, 'planner.example'])
      expect(seen).not.toContain(hidden);
  });

  test('are not found under another app or id', async () => {
    const { id } = await happen();
    await settled(1);
    const nowhere: (() => Promise<unknown>)[] = [
      () => show(id, app(home.other)),
      () => show(printId('evt', ids.uuid())),
      () => show(id, printId('sub', home.one.id)),
      () => show(id, printId('per', home.one.id)),
      () => replay({ event: id }, app(home.other)),
      () => replay({ since: since() }, printId('app', ids.uuid())),
      () => resume(home, printId('app', ids.uuid())),
      () => resume(home, printId('sub', home.one.id)),
    ];
    for (const call of nowhere) expect(await failure(call())).toBe('not_found not_found');
  });

  test('are replayed one by one, by type and time span, and refused for none or too many', async () => {
    const first = (await happen()).id;
    await settled(1);
    home.clock.advance(10 * minute);
    await happen();
    await settled(2);
    expect(await replay({ event: first })).toMatchObject({ replayed: 1 });
    await eventually(() => home.first.arrived.length === 3);
    expect(home.first.arrived[2]!.body.id).toBe(first);
    const span = { since: since(), until: timestampFromMs(home.clock.now() - minute) };
    expect(await replay(span)).toMatchObject({ replayed: 1 });
    expect(await replay({ since: since(), types: ['member.joined'] })).toMatchObject({ replayed: 0 });
    expect(await replay({ since: since(), status: DeliveryState.FAILED })).toMatchObject({ replayed: 0 });
    await eventually(async () => (await announced(home, 'deliveries_replayed')) === 2);
    for (const wrong of [{}, { since: since(), types: ['no.such'] }])
      expect(await failure(replay(wrong))).toMatch(/^bad_request bad_field/);
  });

  test('are not replayed for an app without an address', async () => {
    const { id } = await happen();
    await settled(1);
    await home.changeApp(home.one, { webhookUrl: '' }, ['webhook_url']);
    await expect(replay({ event: id })).rejects.toMatchObject({
      message: expect.stringContaining('has no webhook address'),
    });
    expect(await destinationsOf(home)).toEqual([expect.objectContaining({ owner: 'Team Planner' })]);
    expect((await destinationsOf(home))[0]?.origin).toBeUndefined();
  });

  test('leave a working address as it is when it is resumed', async () => {
    await happen();
    await settled(1);
    expect(await resume(home, app())).toMatchObject({ status: DestinationState.ACTIVE });
    home.first.always({ status: 500 });
    await happen();
    await eventually(async () => (await destinationsOf(home))[0]?.status === DestinationState.FAILING);
    const { nextAttemptAt } = (await allOf(home, { status: DeliveryState.WAITING }))[0]!;
    expect(await resume(home, app())).toMatchObject({ status: DestinationState.FAILING });
    expect((await allOf(home, { status: DeliveryState.WAITING }))[0]!.nextAttemptAt).toEqual(nextAttemptAt);
    expect(await announced(home, 'destination_resumed')).toBe(0);
  });

  test('resume once when two operators resume at once', async () => {
    home.first.always({ status: 410 });
    await happen();
    await eventually(
      async () => (await destinationsOf(home, { status: DestinationState.DISABLED })).length === 1,
    );
    await Promise.all([1, 2, 3].map(() => resume(home, app())));
    await eventually(async () => (await announced(home, 'destination_resumed')) > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await announced(home, 'destination_resumed')).toBe(1);
  });

  test('list the longest failing addresses first', async () => {
    const dead = [1, 2, 3].map((n) => newApp('http://127.0.0.1:9/hook', { name: `Dead ${n}` }));
    home.world.apps!.push(...dead);
    await happen(home.other);
    for (const failing of dead) {
      await happen(failing);
      await eventually(async () =>
        (await destinationsOf(home)).some(
          ({ id, status }) => id === app(failing) && status === DestinationState.FAILING,
        ),
      );
      home.clock.advance(minute);
    }
    const expected = ['Dead 1', 'Dead 2', 'Dead 3', 'Chores'];
    for (const limit of [1, 2, 100])
      expect((await destinationsOf(home, {}, limit)).map(({ owner }) => owner)).toEqual(expected);
    const owners = async (status: DestinationState) =>
      (await destinationsOf(home, { status }, 1)).map(({ owner }) => owner);
    expect(await owners(DestinationState.FAILING)).toEqual(expected.slice(0, 3));
    expect(await owners(DestinationState.ACTIVE)).toEqual(['Chores']);
    expect(await owners(DestinationState.DISABLED)).toEqual([]);
    const [first] = await destinationsOf(home);
    expect(first).toMatchObject({ lastError: 'refused_address', waiting: 1 });
    const chores = (await destinationsOf(home))[3]!;
    expect([chores.lastError, chores.lastDeliveryAt]).toEqual([undefined, expect.anything()]);
  });

  test.each(['', 'x', '1', Buffer.from('9,9,9').toString('base64url'), '99999999999999999999', '-1'])(
    'the cursor %j that nobody gave is refused',
    async (cursor) => {
      const refused = { kind: 'bad_request', details: { field: 'cursor' } };
      const all = home.by(operator).listAllDeliveries({ cursor });
      await expect(all).rejects.toMatchObject(refused);
      const addresses = home.by(operator).listDestinations({ cursor });
      await expect(addresses).rejects.toMatchObject(refused);
      if (cursor === '1') return;
      const listing = home.by(operator).listAllDeliveries({ cursor, destination: app() });
      await expect(listing).rejects.toMatchObject(refused);
    },
  );

  test('failed emails are among the dead letters', async () => {
    const [waiting, sent, lost] = [ids.uuid(), ids.uuid(), ids.uuid()];
    const now = new Date(home.clock.now());
    const later = new Date(home.clock.now() + day);
    await home.run(sql`insert into delivery.mails (id, person, kind, title, body, link, at, attempts, due_at, sent_at) values
          (${waiting}, ${home.ada.id}, 'approval', 'Their title', 'Their words', '/a', ${now}, 1, ${later}, null),
          (${sent}, ${home.ada.id}, 'approval', 'Their title', 'Their words', '/a', ${now}, 1, null, ${now}),
          (${lost}, ${home.ada.id}, 'approval', 'Their title', 'Their words', '/a', ${now}, 5, null, null)`);
    const mails = async (status: DeliveryState) =>
      (await allOf(home, { status }, 1)).map(({ id, kind, attemptCount }) => [id, kind, attemptCount]);
    expect(await mails(DeliveryState.WAITING)).toEqual([[printId('evt', waiting), 'mail', 1]]);
    expect(await mails(DeliveryState.DELIVERED)).toEqual([[printId('evt', sent), 'mail', 1]]);
    expect(await mails(DeliveryState.FAILED)).toEqual([[printId('evt', lost), 'mail', 5]]);
    expect(await allOf(home, {}, 1)).toHaveLength(3);
    const person = printId('per', home.ada.id);
    const whole = await show(printId('evt', lost), person);
    expect(whole).toMatchObject({ destination: person, type: 'approval', status: DeliveryState.FAILED });
    expect(textOf(whole)).not.toContain('Their');
    expect(await failure(show(printId('evt', lost), printId('per', home.bob.id)))).toBe(
      'not_found not_found',
    );
  });
});

describe('wake-ups', () => {
  let home: TestSubscriptions;

  beforeEach(async () => {
    home = await startSubscriptions();
  });
  afterEach(() => home.stop());

  const suspended = () => destinationsOf(home, { status: DestinationState.SUSPENDED });

  /** Fails twenty deliveries in a row, until nothing more is tried. */
  async function suspend(ai: ReturnType<TestSubscriptions['newAi']>) {
    home.receiver.always({ status: 410 });
    await home.wake(ai, 20);
    await eventually(async () => (await suspended()).length === 1);
    await home.quiet();
  }

  test('of a suspended subscription continue when it is resumed, with a gap notice', async () => {
    const owner = home.newPerson();
    const ai = home.newAi(owner, { address: '@ada.ai-helper' });
    const { id } = await home.subscribe(ai);
    await suspend(ai);
    expect(await suspended()).toEqual([
      expect.objectContaining({
        id,
        kind: 'subscription',
        owner: '@ada.ai-helper',
        event: 'message.direct',
        origin: home.receiver.origin,
        lastError: 'http_4xx',
      }),
    ]);
    const dead = await allOf(home, { status: DeliveryState.FAILED }, 7);
    expect(dead).toHaveLength(20);
    expect(new Set(dead.map(({ kind, type }) => `${kind} ${type}`))).toEqual(
      new Set(['subscription message.direct']),
    );
    const own = await allOf(home, { destination: id }, 7);
    expect(own.map((each) => each.id).sort()).toEqual((await allOf(home, {})).map((each) => each.id).sort());
    expect(await allOf(home, { destination: id, status: DeliveryState.FAILED }, 7)).toHaveLength(20);
    expect(await home.by(operator).showDelivery({ destination: id, id: dead[0]!.id })).toMatchObject({
      destination: id,
      status: DeliveryState.FAILED,
      lastError: 'http_4xx',
    });

    home.receiver.always({ status: 204 });
    const resumed = await resume(home, id);
    expect(resumed).toMatchObject({ id, status: DestinationState.FAILING });
    await eventually(() => home.receiver.ofType('gap').length === 1);
    await eventually(async () => (await destinationsOf(home))[0]?.status === DestinationState.ACTIVE);
    const [event] = await home.wake(ai);
    await eventually(() => home.receiver.eventIds().includes(event!));
    expect((await home.list(ai))[0]?.deliveryStatus).toMatchObject({ active: true });

    const caller = asPerson(owner, { app: '' });
    await eventually(async () => (await home.by(caller).listActivity({})).activity.length > 0);
    const { activity } = await home.by(caller).listActivity({});
    expect(activity.map(({ action, summary }) => [action, summary])).toEqual([
      ['webhook.resumed', `The operator resumed the webhook address: ${reason}`],
    ]);
  });

  test('for an AI of a person under 18 are shown under its id', async () => {
    const child = home.newPerson({ ageBand: AgeBand.CHILD, aiShare: true });
    const ai = home.newAi(child, { address: `@${child.handle}.ai-helper` });
    const { id } = await home.subscribe(ai);
    expect(await destinationsOf(home)).toEqual([
      expect.objectContaining({ id, owner: printId('ai', ai.id), status: DestinationState.ACTIVE }),
    ]);
  });

  test('of an ended subscription cannot be resumed', async () => {
    const ai = home.newAi();
    const { id } = await home.subscribe(ai);
    await suspend(ai);
    home.clock.advance(8 * day);
    expect(await failure(resume(home, id))).toBe('not_found not_found');
    expect(await destinationsOf(home)).toEqual([]);
  });
});
