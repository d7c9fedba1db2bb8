import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { CallerKind } from '@hearth/proto/options';
import { eventually, operator } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { ids, standIns } from './stand-ins.ts';
import { newEvent, startDelivery } from './start-delivery.ts';

const home = await startDelivery({}, standIns({ people: [], ais: [], groups: [], members: new Map() }));
afterAll(() => home.stop());

type Data = Parameters<typeof newEvent>[0];
const byOperator = { kind: CallerKind.OPERATOR, name: 'operator' };

async function announce(data: Data, by?: Parameters<typeof newEvent>[1]['by']) {
  home.clock.advance(1_000);
  const event = newEvent(data, { at: home.clock.now(), ...(by !== undefined && { by }) });
  await home.publishAll([event]);
  return event;
}

const audit = async (request: object = {}) => await home.by(operator).listAudit(request);
const lines = async (request: object = {}) =>
  (await audit(request)).audit.map(({ action, by, about, reason }) => [action, by, about, reason]);

const [app, ai, group, sub] = [ids.uuid(), ids.uuid(), ids.uuid(), ids.uuid()];
const [report, feedback] = [printId('rpt', ids.uuid()), printId('fbk', ids.uuid())];

test('every act of the operator has one line, and acts of others have none', async () => {
  const person = { kind: CallerKind.PERSON, id: ids.uuid(), name: 'Ada', address: '@ada' };
  const club = { id: group, handle: 'club', name: 'Club', app };
  await announce({ case: 'appChanged', value: { app, changed: ['created'] } }, byOperator);
  await announce({ case: 'aiRevoked', value: { ai, reason: 'spam' } }, byOperator);
  const robin = { id: ai, name: 'Robin' };
  await announce({ case: 'aiSuspended', value: { ai: robin, reason: 'spam' } }, byOperator);
  await announce({ case: 'aiRestored', value: { ai: robin } });
  await announce({ case: 'groupDeleted', value: { group: club } }, byOperator);
  await announce({ case: 'deliveriesReplayed', value: { app, count: 2, reason: 'lost' } }, byOperator);
  await announce({ case: 'destinationResumed', value: { subscription: sub, reason: 'back' } }, byOperator);
  await announce({ case: 'reportResolved', value: { report, resolution: 'warned' } }, byOperator);
  await announce({ case: 'feedbackAnswered', value: { feedback, status: 'read' } }, byOperator);
  const rotated = { kid: 'k1', uses: ['record', 'request'], status: 'next', reason: 'yearly' };
  const last = await announce({ case: 'homeKeyChanged', value: rotated }, byOperator);
  await announce({ case: 'homeKeyChanged', value: { ...rotated, status: 'active', reason: '' } });
  // Acts of others, and a redelivered event.
  await announce(
    { case: 'appChanged', value: { app, changed: ['name'] } },
    { kind: CallerKind.APP, id: app },
  );
  await announce({ case: 'aiRevoked', value: { ai, reason: 'mine' } }, person);
  await announce({ case: 'groupDeleted', value: { group: club } });
  await home.publishAll([last]);
  await eventually(async () => (await lines()).length === 11);
  expect(await lines()).toEqual([
    ['key.active', 'home', 'k1', undefined],
    ['key.next', 'operator', 'k1', 'yearly'],
    ['feedback.read', 'operator', feedback, undefined],
    ['report.resolved', 'operator', report, 'warned'],
    ['webhook.resumed', 'operator', printId('sub', sub), 'back'],
    ['deliveries.replayed', 'operator', printId('app', app), 'lost'],
    ['group.deleted', 'operator', printId('grp', group), undefined],
    ['ai.restored', 'home', printId('ai', ai), undefined],
    ['ai.suspended', 'operator', printId('ai', ai), 'spam'],
    ['ai.revoked', 'operator', printId('ai', ai), 'spam'],
    ['app.created', 'operator', printId('app', app), undefined],
  ]);
  const [newest] = (await audit()).audit;
  expect(newest?.summary).toBe('The key for record and request is now in use');
});

test('the list is filtered by action, target and time, page by page', async () => {
  expect(await lines({ action: 'key.next' })).toHaveLength(1);
  expect((await lines({ about: printId('app', app) })).map(([action]) => action)).toEqual([
    'deliveries.replayed',
    'app.created',
  ]);
  const all = (await audit()).audit;
  expect((await audit({ since: all[3]!.at })).audit).toEqual(all.slice(0, 4));
  const first = await audit({ limit: 6 });
  const second = await audit({ limit: 6, cursor: first.nextCursor });
  expect([...first.audit, ...second.audit]).toEqual(all);
  expect(second.nextCursor).toBeUndefined();
});

test('lines are deleted after audit_days', async () => {
  home.clock.advance(400 * day - hour);
  await home.runJob('delivery: purge-audit');
  expect(await lines()).toHaveLength(11);
  home.clock.advance(2 * hour);
  await home.runJob('delivery: purge-audit');
  expect(await lines()).toEqual([]);
});

test('the operator’s acts on other homes and key changes of other homes have a line', async () => {
  const value = { home: 'a.example', change: 'blocked', reason: 'spam' };
  await announce({ case: 'otherHomeChanged', value }, byOperator);
  await announce({ case: 'otherHomeChanged', value: { home: 'a.example', change: 'key_change' } });
  await eventually(async () => (await lines({ about: 'a.example' })).length === 2);
  expect(await lines({ about: 'a.example' })).toEqual([
    ['home.key_change', 'home', 'a.example', undefined],
    ['home.blocked', 'operator', 'a.example', 'spam'],
  ]);
  for (const kids of [['k1'], ['k1', 'k2']])
    await announce({ case: 'otherHomeChanged', value: { home: 'b.example', change: 'keys_revoked', kids } });
  const revoked = await eventually(async () => {
    const found = (await audit({ about: 'b.example' })).audit;
    return found.length === 2 && found;
  });
  expect(revoked.map(({ summary }) => summary)).toEqual([
    '2 keys of b.example no longer vouch for anything',
    'A key of b.example no longer vouches for anything',
  ]);
});

test('the suspension of a person or an app has a line, and so has its end, also by time', async () => {
  const ada = { id: ids.uuid(), name: 'Ada' };
  const until = timestampFromMs(Date.parse('2026-05-01T12:00:00Z'));
  const change = (changed: string, reason = '') => [
    { case: 'personChanged' as const, value: { person: ada, changed: [changed], until, reason } },
    { case: 'appChanged' as const, value: { app, changed: [changed], until, reason } },
  ];
  for (const data of change('suspended', 'threats')) await announce(data, byOperator);
  for (const data of change('restored')) await announce(data);
  for (const data of change('name')) await announce(data);
  for (const [about, what] of [
    [printId('per', ada.id), 'person'],
    [printId('app', app), 'app'],
  ] as const) {
    const told = await eventually(async () => {
      const found = (await audit({ about })).audit.filter(({ action }) => /suspended|restored/.test(action));
      return found.length === 2 && found;
    });
    expect(told.map(({ action, by, reason }) => [action, by, reason])).toEqual([
      [`${what}.restored`, 'home', undefined],
      [`${what}.suspended`, 'operator', 'threats'],
    ]);
    expect(told[1]?.summary).toMatch(/^An (account|app) (is|was) suspended until 2026-05-01T12:00:00\.000Z$/);
  }
  // A change of another kind by another caller has no entry.
  expect((await audit({ about: printId('per', ada.id) })).audit).toHaveLength(2);
});

test('the deletion of an account by the operator has a line, and so has its end; a deletion by the person has none', async () => {
  const person = { id: ids.uuid(), name: 'Ada' };
  const deletesAt = timestampFromMs(Date.parse('2026-05-01T12:00:00Z'));
  const value = { person, deletesAt, reason: 'by mail' };
  await announce({ case: 'deletionAsked', value }, byOperator);
  await announce({ case: 'deletionTakenBack', value }, byOperator);
  await announce({ case: 'deletionAsked', value: { person, deletesAt } });
  await announce({ case: 'aiRevoked', value: { ai } }, byOperator);
  const about = printId('per', person.id);
  await eventually(async () => (await lines())[0]?.[0] === 'ai.revoked');
  expect(await lines({ about })).toEqual([
    ['account.deletion_taken_back', 'operator', about, 'by mail'],
    ['account.deletion_asked', 'operator', about, 'by mail'],
  ]);
  const { audit: told } = await audit({ about });
  expect(told[1]?.summary).toBe('An account will be deleted on 2026-05-01T12:00:00.000Z');
});
