import { toJsonString } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { hour, minute } from '@hearth/clock';
import { printId } from '@hearth/ids';
import {
  DestinationState,
  ListAllDeliveriesResponseSchema,
  ListDestinationsResponseSchema,
} from '@hearth/proto/delivery/v1/admin_deliveries';
import { DeliveryState } from '@hearth/proto/delivery/v1/app_deliveries';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { eventually, failure, fake, operator } from '@hearth/testkit';
import { type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asked } from './noticed-events.ts';
import { standInFederation } from './stand-in-federation.ts';
import { ids, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { newEvent, startDelivery, type TestDelivery } from './start-delivery.ts';
import { startReceiver, type WakeUpReceiver } from './wake-up-receiver.ts';

// The operator sees mails and callbacks, and replays them.

const caller = operator;
const reason = 'The server was moved';
let sink: SmtpSink;
let answers: Record<string, string | null>;
let receiver: WakeUpReceiver;
let home: TestDelivery;
let world: World;
let ada: KnownPerson;

beforeEach(async () => {
  answers = {};
  [sink, receiver] = await Promise.all([startSmtpSink({ answers }), startReceiver({ now: () => now() })]);
  ada = newPerson('Ada Lovelace', { email: 'ada@example.com' });
  const kit = newPerson('Kit', { ageBand: AgeBand.CHILD, guardians: [ada.id] });
  const ais = [
    { id: ids.uuid(), address: '@ada.ai-helper', owner: ada.id },
    { id: ids.uuid(), address: '@kit.ai-helper', owner: kit.id },
  ];
  world = { people: [ada, kit], ais, groups: [], members: new Map() };
  const source = fake(
    SendSourceService,
    {
      prepareSends: async ({ sends }) => ({
        sends: sends.map(({ kind }) => {
          const mail = { to: 'eve@example.com', subject: 'Their title', text: 'Their words' };
          const post = { url: `${receiver.url}?theirs`, body: '{"secret":1}' };
          return kind === 'callback'
            ? { content: { case: 'post' as const, value: post } }
            : { content: { case: 'mail' as const, value: mail } };
        }),
      }),
    },
    'approvals',
  );
  const env = {
    SMTP_URL: sink.url.replace('//', '//user:secret@'),
    HEARTH_DEV_CALLBACKS: receiver.origin,
  };
  home = await startDelivery(env, [...standIns(world), source, standInFederation().fake]);
});
afterEach(async () => {
  await home.stop();
  await Promise.all([sink.stop(), receiver.stop()]);
});

const now = () => home.clock.now();
const list = (request: object) => home.allDeliveries(request, 2);
const destinations = () => home.allDestinations({}, 1);
const resume = (id: string) => home.by(caller).resumeDestination({ id, reason });
const replay = (destination: string, request: object) =>
  home.by(caller).replayForApp({ destination, reason, ...request });
const announced = async (type: string) =>
  (await home.events('delivery')).filter(({ data }) => data.case === type).map(({ data }) => data.value);

const ask = () => {
  const value = { approval: printId('apr', ids.uuid()), mailed: [0] };
  return newEvent({ case: 'approvalRequested', value }, { at: now() });
};
const settled = (asker: string, at = now()) => {
  const value = { approval: printId('apr', ids.uuid()), status: 'approved', asker, callback: true };
  return newEvent({ case: 'approvalSettled', value }, { at });
};

describe('mails', () => {
  test('go to one destination, the mail server', async () => {
    expect(await destinations()).toEqual([]);
    await home.publishAll([asked(ada.id, now())]);
    await eventually(async () => (await destinations()).length === 1);
    expect((await destinations())[0]).toMatchObject({
      id: 'mail',
      kind: 'mail',
      origin: sink.url,
      owner: '',
      status: DestinationState.ACTIVE,
      waiting: 0,
    });
    answers['RCPT'] = '451 try later';
    await home.publishAll([ask(), ask()]);
    await eventually(async () =>
      (await list({ status: DeliveryState.WAITING })).every((delivery) => delivery.attemptCount === 1),
    );
    expect((await destinations())[0]).toMatchObject({
      status: DestinationState.FAILING,
      lastError: 'mail_refused',
      failingSince: timestampFromMs(now()),
      waiting: 2,
    });
  });

  test('are listed without addresses and texts', async () => {
    await home.publishAll([asked(ada.id, now())]);
    await home.publishAll([ask()]);
    await home.inward.sendMail({
      to: 'eve@example.com',
      subject: 'Code',
      text: '123456',
      kind: 'sign_in_code',
    });
    await eventually(async () => (await list({ status: DeliveryState.DELIVERED })).length === 3);
    const all = await list({ destination: 'mail' });
    expect(all).toEqual(await list({}));
    expect(all.map(({ destination, kind, type }) => [destination, kind, type]).sort()).toEqual([
      ['mail', 'mail', 'approval'],
      ['mail', 'mail', 'sign_in_code'],
      [printId('per', ada.id), 'mail', 'approval'],
    ]);
    for (const { destination, id } of all) {
      const whole = await home.by(caller).showDelivery({ destination, id });
      expect(whole).toMatchObject({ id, destination, attemptCount: 1, status: DeliveryState.DELIVERED });
      expect(await home.by(caller).showDelivery({ destination: 'mail', id })).toEqual(whole);
    }
    const seen =
      toJsonString(ListAllDeliveriesResponseSchema, await home.by(caller).listAllDeliveries({})) +
      toJsonString(ListDestinationsResponseSchema, await home.by(caller).listDestinations({}));
    expect(seen).not.toMatch(/@|Their|123456|secret|Ada/);
  });

  test('that wait are sent at once when their destination is resumed', async () => {
    answers['RCPT'] = '451 try later';
    await home.publishAll([ask(), ask()]);
    await eventually(async () => (await list({})).every(({ attemptCount }) => attemptCount === 1));
    delete answers['RCPT'];
    expect(await resume('mail')).toMatchObject({ id: 'mail' });
    await eventually(() => sink.mails.length === 2);
    expect(await announced('destinationResumed')).toMatchObject([{ app: '', reason }]);
    await eventually(async () => (await destinations())[0]?.status === DestinationState.ACTIVE);
    await resume('mail');
    expect(await announced('destinationResumed')).toHaveLength(1);
    // Resuming only ends the wait; it does not reset attempts.
    expect((await list({})).map(({ attemptCount }) => attemptCount)).toEqual([2, 2]);
  });

  test('that failed are sent once more, and no others, and a code only while it is valid', async () => {
    await home.publishAll([ask()]);
    await eventually(() => sink.mails.length === 1);
    answers['RCPT'] = '451 try later';
    const code = { to: 'eve@example.com', subject: 'Code', text: '123456', kind: 'sign_in_code' };
    expect(await failure(home.inward.sendMail(code))).toBe('unavailable unavailable');
    const lost = ask();
    await home.publishAll([lost]);
    for (const [n, wait] of [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour].entries()) {
      await eventually(
        async () => (await list({ status: DeliveryState.WAITING }))[0]?.attemptCount === n + 1,
      );
      home.clock.advance(wait);
      await home.runJob('delivery: send-due');
    }
    await eventually(async () => (await list({ status: DeliveryState.FAILED })).length === 2);
    delete answers['RCPT'];
    const since = timestampFromMs(now() - 24 * hour);
    const [failed] = (await list({ status: DeliveryState.FAILED })).filter(({ type }) => type === 'approval');
    expect(await replay('mail', { event: failed!.id })).toMatchObject({ replayed: 1 });
    await eventually(() => sink.mails.length === 2);
    await eventually(async () => (await list({ status: DeliveryState.DELIVERED })).length === 2);
    // The code has expired, and the others were delivered.
    expect(await replay('mail', { since })).toMatchObject({ replayed: 0 });
    expect(await replay('mail', { event: failed!.id })).toMatchObject({ replayed: 0 });
    answers['RCPT'] = '451 try later';
    expect(await failure(home.inward.sendMail(code))).toBe('unavailable unavailable');
    delete answers['RCPT'];
    expect(await replay('mail', { since, status: DeliveryState.FAILED })).toMatchObject({ replayed: 1 });
    await eventually(() => sink.mails.length === 3);
    expect(await announced('deliveriesReplayed')).toMatchObject([
      { app: '', count: 1, reason },
      { app: '', count: 1, reason },
    ]);
  });
});

describe('callbacks', () => {
  test('are listed under their askers, and sent once more', async () => {
    const [adasAi, kitsAi] = world.ais;
    const nobody = ids.uuid();
    receiver.always({ status: 500 });
    await home.publishAll([settled(adasAi!.id), settled(kitsAi!.id), settled(ada.id)]);
    await eventually(async () => (await destinations()).every(({ lastError }) => lastError !== undefined));
    const shown = (await destinations()).map(({ id, kind, owner, origin, status, waiting }) => [
      ...[id, kind, owner, origin],
      ...[status, waiting],
    ]);
    const failing = [DestinationState.FAILING, 1];
    expect(shown.sort()).toEqual(
      [
        [printId('ai', adasAi!.id), 'callback', '@ada.ai-helper', receiver.origin, ...failing],
        [printId('ai', kitsAi!.id), 'callback', printId('ai', kitsAi!.id), receiver.origin, ...failing],
        [printId('per', ada.id), 'callback', printId('per', ada.id), receiver.origin, ...failing],
      ].sort(),
    );
    const destination = printId('ai', adasAi!.id);
    const [delivery, ...others] = await list({ destination });
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ destination, kind: 'callback', lastError: 'http_5xx', attemptCount: 1 });
    expect(await home.by(caller).showDelivery({ destination, id: delivery!.id })).toEqual(delivery);
    expect(await list({})).toHaveLength(3);

    receiver.always({ status: 204 });
    const before = receiver.arrived.length;
    await resume(destination);
    await eventually(() => receiver.arrived.length === before + 1);
    await eventually(async () => (await list({ destination }))[0]?.status === DeliveryState.DELIVERED);
    await eventually(async () => (await destinations()).length === 2);

    receiver.always({ status: 410 });
    await resume(printId('per', ada.id));
    const own = { destination: printId('per', ada.id), status: DeliveryState.FAILED };
    await eventually(async () => (await list(own)).length === 1);
    receiver.always({ status: 204 });
    const since = timestampFromMs(now() - hour);
    expect(await replay(destination, { since })).toMatchObject({ replayed: 0 });
    expect(await replay(printId('per', ada.id), { since })).toMatchObject({ replayed: 1 });
    await eventually(async () => (await list(own)).length === 0);
    // The asker and its owner are notified.
    expect((await announced('destinationResumed')).slice(-2)).toMatchObject([
      { ai: adasAi!.id, owner: ada.id },
      { ai: ada.id, owner: '' },
    ]);
    expect((await announced('deliveriesReplayed')).at(-1)).toMatchObject({ ai: ada.id, owner: '' });
    expect(await failure(resume(printId('per', nobody)))).toBe('not_found not_found');
  });

  test.each([
    [{ destination: 'mail', app: printId('app', ids.uuid()) }, 'goes without app'],
    [{}, 'is needed, or else destination'],
    [{ destination: 'mail' }, 'is needed, or else event'],
    [{ destination: 'mail', types: ['member.joined'] }, 'goes with app alone'],
    [{ destination: 'mail', status: DeliveryState.DELIVERED }, 'must be failed'],
  ])('a replay of %j is refused', async (request, words) => {
    const asking = home.by(caller).replayForApp({ reason, ...request });
    await expect(asking).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining(words),
    });
  });
});
