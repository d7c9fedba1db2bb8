import { createHmac } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { parseId, printId } from '@hearth/ids';
import { shieldEvent, shieldId } from '@hearth/people';
import { AgeBand, Platform } from '@hearth/proto/identity/v1/resources';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { home } from './each-apps.ts';
import { ids, newPerson } from './stand-ins.ts';
import { snapshot } from './start-apps.ts';

const per = ({ id }: { id: string }) => printId('per', id);
const grp = ({ id }: { id: string }) => printId('grp', id);
const shp = (viewer: { id: string }, child: { id: string }) => shieldId(home.sealer, viewer.id, child.id);
/** Returns the data that both apps received, once each has this many events. */
async function told(first: number, second: number) {
  await eventually(() => home.first.arrived.length >= first && home.second.arrived.length >= second);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([home.first.types().length, home.second.types().length]).toEqual([first, second]);
  return {
    first: home.first.arrived.map(({ body }) => body),
    second: home.second.arrived.map(({ body }) => body),
  };
}
const joined = (person = home.bob, rest: Record<string, unknown> = {}) =>
  home.happen('memberJoined', {
    ...home.inClub(7),
    person: snapshot(person),
    role: 'member',
    via: 'link',
    ...rest,
  });

describe('an outcome in a group of another home', () => {
  const group = { id: '', name: 'Chess', reference: 'r:other.example:grp_1' };
  const common = () => ({
    ...{ summary: 'Soup', viewers: [home.ada.id], people: [snapshot(home.ada)], apps: [home.one.id] },
  });

  test('reaches the apps of its local people', async () => {
    const decision = { id: ids.uuid(), number: 7n, title: 'Dinner', group, reference: 'r:other.example:7' };
    await home.happen('decisionAgreed', { ...common(), decision });
    const plan = { id: ids.uuid(), title: 'Walk', group, options: 1, reference: 'r:other.example:pln_1' };
    await home.happen('planSettled', { ...common(), plan, when: '2026-05-01' });
    const { first } = await told(2, 0);
    const data = { group: group.reference, summary: 'Soup', people: [{ name: 'Ada Lovelace' }] };
    expect(first).toMatchObject([
      { data: { ...data, kind: 'decision', id: decision.reference, title: 'Dinner' } },
      { data: { ...data, kind: 'plan', id: plan.reference, title: 'Walk', when: '2026-05-01' } },
    ]);
    expect(first[1]!.data).not.toHaveProperty('by');
  });
});

describe('an event', () => {
  test('names a remote person by their address', async () => {
    const zoe = newPerson('Zoe', { home: 'other.example' });
    home.world.people.push(zoe);
    await joined(zoe, { apps: [home.one.id], via: 'home' });
    const { first } = await told(1, 0);
    expect(first[0]!.data).toMatchObject({
      person: { id: per(zoe), address: `${zoe.handle}@other.example`, home: 'other.example' },
      via: 'home',
    });
  });

  test('has the id of its source event, and the documented signature', async () => {
    const invite = ids.uuid();
    const item = { itemRef: 'shelf-7', itemApp: home.one.id };
    const event = await joined(home.ada, { apps: [home.one.id], invite, ...item });
    const { first } = await told(1, 0);
    expect(first[0]).toEqual({
      id: event.id,
      type: 'member.joined',
      at: '2026-03-01T12:00:00.000Z',
      data: {
        group: grp(home.club),
        person: {
          id: per(home.ada),
          address: '@ada',
          handle: 'ada',
          name: 'Ada Lovelace',
          kind: 'person',
          age_band: 'adult',
          guest: false,
          app: printId('app', home.one.id),
          shielded: false,
        },
        role: 'member',
        via: 'link',
        invite: printId('inv', invite),
        item_ref: 'shelf-7',
        seq: 1,
      },
    });
    const [{ raw, signature }] = home.first.arrived as [(typeof home.first.arrived)[0]];
    const moment = home.clock.now() / 1_000;
    const mac = createHmac('sha256', home.one.secrets[0]!).update(`${moment}.${raw}`).digest('hex');
    expect(signature).toBe(`t=${moment},v1=${mac}`);
  });

  test('is stored and sent once, however often it arrives', async () => {
    const event = await joined(home.ada, { apps: [home.one.id] });
    await home.publishAll([event, event]);
    await home.publishAll([event]);
    await told(1, 0);
    const rows = await home.database.db.query(sql`select number from delivery.app_events`);
    expect(rows).toEqual([{ number: 1 }]);
  });

  test('reaches only the apps that it names', async () => {
    await joined(home.ada, { apps: [home.one.id] });
    await home.happen('personChanged', {
      person: snapshot(home.bob),
      changed: ['name'],
      apps: [home.other.id],
    });
    const { first, second } = await told(1, 1);
    expect(JSON.stringify(first)).not.toContain(home.bob.id.replaceAll('-', ''));
    expect(JSON.stringify(second)).not.toContain(home.ada.id.replaceAll('-', ''));
    await home.happen('memberLeft', { ...home.inClub(), apps: [ids.uuid(), ''], person: snapshot(home.ada) });
    await told(1, 1);
  });

  test('about a child names the child as each app knows them, and under no other id', async () => {
    await joined(home.kit);
    const left = await home.happen('memberLeft', { ...home.inClub(8), person: snapshot(home.kit) });
    // It is the second app's first event about this group, which others created.
    const { first, second } = await told(2, 3);
    expect(first.map(({ data }) => data.person.id ?? data.person)).toEqual([per(home.kit), per(home.kit)]);
    expect(first[0]!.data.person).toMatchObject({
      name: 'Kit Carson',
      guardian: per(home.ada),
      ai_share: false,
    });
    const shielded = shp(home.other, home.kit);
    expect(second.slice(1).map(({ data }) => data.person.id ?? data.person)).toEqual([shielded, shielded]);
    expect(second[1]!.data.person).toEqual({
      id: shielded,
      address: shielded,
      name: 'Kit C.',
      kind: 'person',
      age_band: 'child',
      guest: false,
      shielded: true,
    });
    // Its id and time are this app's own, too.
    expect(second[2]!.id).toBe(
      printId('evt', shieldEvent(home.sealer, home.other.id, parseId('evt', left.id)!)),
    );
    expect([first[1]!.id, first[1]!.at]).toEqual([left.id, '2026-03-01T12:00:00.000Z']);
    expect(second.slice(1).map(({ at }) => at)).toEqual(Array(2).fill('2026-03-01T00:00:00.000Z'));
    const { deliveries } = await home.by(home.appCaller(home.other)).listDeliveries({ limit: 1 });
    expect(timestampDate(deliveries[0]!.at!).toISOString()).toBe('2026-03-01T00:00:00.000Z');
    expect(await home.by(home.appCaller(home.other)).getDelivery({ id: second[2]!.id })).toMatchObject({
      type: 'member.left',
    });
    const text = JSON.stringify(second);
    expect(text).not.toMatch(
      new RegExp(`@kit|Carson|${home.kit.id.replaceAll('-', '')}|${shp(home.one, home.kit)}`),
    );
  });

  test('about a deleted child reveals no more', async () => {
    home.world.people = [home.ada, home.bob];
    await home.happen('memberLeft', { ...home.inClub(), apps: [home.other.id], person: snapshot(home.kit) });
    await joined(home.kit, { apps: [home.other.id] });
    const { second } = await told(0, 3);
    expect(second[0]!.data).toEqual({ group: grp(home.club), person: shp(home.other, home.kit), seq: 1 });
    expect(second[2]!.data.person).toMatchObject({
      id: shp(home.other, home.kit),
      name: 'Kit C.',
      shielded: true,
    });
    expect(JSON.stringify(second)).not.toContain(home.kit.id.replaceAll('-', ''));
  });
});

describe('groups', () => {
  test('of another app are announced once, with the first event about one of the app’s people', async () => {
    await joined(home.bob, { by: '' });
    await joined(home.kit, { seq: 8n });
    const { second } = await told(2, 3);
    expect(home.first.types()).toEqual(['member.joined', 'member.joined']);
    expect(home.second.types()).toEqual(['group.created', 'member.joined', 'member.joined']);
    expect(second[0]!.data).toMatchObject({
      group: { id: grp(home.club), address: '&club', name: 'Book club', app: printId('app', home.one.id) },
      by: per(home.ada),
      seq: 1,
    });
    expect(second[0]!.id).not.toBe(second[1]!.id);
  });

  test('made by somebody else with the app’s people are announced when they are made', async () => {
    await home.happen('groupCreated', { ...home.inClub(), person: home.ada.id }, home.personCaller(home.ada));
    await joined(home.bob);
    const { second } = await told(1, 2);
    expect(home.first.types()).toEqual(['member.joined']);
    expect(second.map(({ type }) => type)).toEqual(['group.created', 'member.joined']);
  });

  test('send changes in the order they happened', async () => {
    const by = home.personCaller(home.ada);
    const person = snapshot(home.bob);
    await home.happen('roleChanged', { ...home.inClub(2), person, role: 'organizer' }, by);
    await home.happen('groupUpdated', { ...home.inClub(3), changed: ['name', 'settings'] }, by);
    await home.happen('memberRemoved', { ...home.inClub(4), person, reason: 'secret' }, home.appCaller());
    await home.happen('memberLeft', { ...home.inClub(5), person: snapshot(home.kit) });
    await home.happen('groupArchived', { ...home.inClub(6), why: 'organizer_left' });
    await home.happen('groupDeleted', home.inClub(7));
    const { first } = await told(6, 6);
    const group = grp(home.club);
    expect(first.map(({ type, data }) => ({ type, ...data }))).toEqual([
      { type: 'role.changed', group, person: per(home.bob), role: 'organizer', by: per(home.ada), seq: 1 },
      {
        type: 'group.updated',
        group: expect.objectContaining({ id: group, name: 'Book club', created_by: per(home.ada) }),
        changed: ['name', 'settings'],
        by: per(home.ada),
        seq: 2,
      },
      { type: 'member.removed', group, person: per(home.bob), seq: 3 },
      { type: 'member.left', group, person: per(home.kit), seq: 4 },
      { type: 'group.archived', group, why: 'organizer_left', seq: 5 },
      { type: 'group.deleted', group, seq: 6 },
    ]);
    const known = await home.database.db.query(sql`select * from delivery.app_groups`);
    expect(known).toEqual([]);
  });
});

describe('people', () => {
  const changed = (fields: string[], apps = [home.one.id, home.other.id], person = home.kit) =>
    home.happen('personChanged', { person: snapshot(person), changed: fields, apps });

  test('cause an event when name, handle, age band, guardian or AI sharing changed, or a guest signed up', async () => {
    await changed(['time_zone', 'app']);
    await changed(['handle', 'guest']);
    await changed(['ai_share']);
    await changed(['guardian', 'handle']);
    await changed(['age_band', 'guardian']);
    const { first, second } = await told(4, 1);
    expect(first.map(({ data }) => data.changed)).toEqual([
      ['handle', 'guest'],
      ['ai_share'],
      ['guardian', 'handle'],
      ['age_band', 'guardian'],
    ]);
    // Guardians of a person under 18, and whether AIs may act, are only for the app that holds the person.
    expect(second[0]!.data).toMatchObject({ changed: ['age_band'], person: { shielded: true }, seq: 1 });
  });

  test('with deleted accounts are named to each app as it knew them', async () => {
    const second = newPerson('Dan', { app: home.other.id });
    const [mine, theirs] = [ids.uuid(), ids.uuid()];
    home.world.people = [home.bob, home.kit, second];
    home.world.groups.push({ id: mine, handle: 'mine', name: 'Mine', app: home.other.id });
    home.world.groups.push({ id: theirs, handle: 'theirs', name: 'Theirs', app: home.one.id });
    const third = newPerson('Third', { app: ids.uuid() });
    home.world.apps!.push({ ...home.one, id: third.app, webhookUrl: home.second.url });
    await home.happen('accountDeleted', {
      deleted: [home.ada.id],
      people: [{ id: home.ada.id, minor: false, app: home.one.id }],
      handovers: [{ child: home.kit.id, guardian: second.id }],
      organizers: [{ group: mine, person: home.bob.id }],
      archived: [theirs],
      apps: [home.one.id, home.other.id],
    });
    const { first, second: others } = await told(1, 1);
    expect(first[0]!.data).toEqual({
      deleted: [per(home.ada)],
      handovers: [{ child: per(home.kit), guardian: per(second) }],
      organizers: [{ group: printId('grp', mine), person: per(home.bob) }],
      archived: [printId('grp', theirs)],
    });
    expect(others[0]!.data).toEqual({
      deleted: [per(home.ada)],
      handovers: [{ child: shp(home.other, home.kit), guardian: per(second) }],
      organizers: [{ group: printId('grp', mine), person: per(home.bob) }],
      archived: [],
    });
    await home.happen('accountDeleted', {
      deleted: [home.kit.id],
      people: [{ id: home.kit.id, minor: true, app: home.one.id }],
      apps: [home.one.id, third.app],
    });
    const after = await told(2, 2);
    expect(after.first[1]!.data).toMatchObject({ deleted: [per(home.kit)], handovers: [] });
    expect(after.second[1]!.data).toMatchObject({ deleted: [shieldId(home.sealer, third.app, home.kit.id)] });
  });
});

describe('AIs', () => {
  test('that are claimed, unclaimed or revoked are announced to their owner’s app', async () => {
    const ai = { id: ids.uuid(), address: '@ada.ai-robin', name: 'Robin', owner: home.ada.id, group: '' };
    home.world.ais.push({ ...ai, platform: Platform.CLAUDE });
    const apps = [home.one.id];
    await home.happen('aiClaimed', { ai, status: 'claimed', person: home.ada.id, apps });
    home.world.ais[0] = { ...ai, owner: home.bob.id, address: '@bob.ai-other', name: 'Other' };
    await home.happen('aiUnclaimed', {
      ai: { ...ai, owner: '', address: '@free-1.ai-robin' },
      owner: home.ada.id,
      why: 'released',
      apps,
    });
    await home.happen('aiRevoked', { ai: ai.id, owner: home.ada.id, apps });
    const { first } = await told(3, 0);
    expect(first.map(({ type, data }) => ({ type, ...data }))).toEqual([
      {
        type: 'ai.claimed',
        ai: expect.objectContaining({
          id: printId('ai', ai.id),
          address: '@ada.ai-robin',
          platform: 'claude',
          owner: per(home.ada),
          status: 'claimed',
        }),
        owner: per(home.ada),
        status: 'claimed',
      },
      {
        type: 'ai.unclaimed',
        // This app does not see its state under another owner.
        ai: expect.objectContaining({
          address: '@free-1.ai-robin',
          name: 'Robin',
          owner: null,
          status: 'unclaimed',
        }),
        owner: per(home.ada),
        why: 'released',
      },
      { type: 'ai.revoked', ai: printId('ai', ai.id), owner: per(home.ada) },
    ]);
  });
});

describe('outcomes', () => {
  const settled = (status: string, rest: Record<string, unknown> = {}) =>
    home.happen('approvalSettled', {
      approval: printId('apr', ids.uuid()),
      status,
      title: 'May I book the 9:30 train?',
      group: home.club,
      itemRef: 'trip-1',
      itemApp: home.one.id,
      apps: [home.one.id, home.other.id],
      approvedBy: status === 'approved' ? [snapshot(home.bob), snapshot(home.kit)] : [],
      ...rest,
    });

  test('of approvals name who approved, and a child only as far as the app may know', async () => {
    await settled('approved');
    const { first, second } = await told(1, 1);
    expect(first[0]!.data).toEqual({
      kind: 'approval',
      id: expect.stringMatching(/^apr_/),
      status: 'approved',
      group: grp(home.club),
      title: 'May I book the 9:30 train?',
      summary: 'Approved by Bob Okri and Kit C.',
      people: [
        { person: per(home.bob), name: 'Bob Okri' },
        { person: per(home.kit), name: 'Kit Carson' },
      ],
      bring: [],
      hidden_from: [],
      item_ref: 'trip-1',
      seq: 1,
    });
    // The item belongs to the first app.
    expect(second[0]!.data).not.toHaveProperty('item_ref');
    expect(second[0]!.data).toMatchObject({
      summary: 'Approved by Bob Okri and Kit C.',
      people: [
        { person: per(home.bob), name: 'Bob Okri' },
        { person: shp(home.other, home.kit), name: 'Kit C.' },
      ],
    });
  });

  test('about a child name the guardian only to the child’s app', async () => {
    await settled('approved', { approvedBy: [snapshot(home.ada)], about: home.kit.id });
    const { first, second } = await told(1, 1);
    expect(first[0]!.data).toMatchObject({
      summary: 'Approved by Ada Lovelace',
      people: [{ person: per(home.ada), name: 'Ada Lovelace' }],
    });
    expect(second[0]!.data).toMatchObject({ status: 'approved', summary: 'Approved', people: [] });
  });

  test('are numbered with the group’s other events for each app, without gaps', async () => {
    await joined(home.ada, { apps: [home.one.id] });
    await settled('approved');
    await home.happen('groupUpdated', { ...home.inClub(9), changed: ['name'] });
    const { first, second } = await told(3, 2);
    expect(first.map(({ type, data }) => [type, data.seq])).toEqual([
      ['member.joined', 1],
      ['outcome', 2],
      ['group.updated', 3],
    ]);
    expect(second.map(({ data }) => data.seq)).toEqual([1, 2]);
  });

  test('include declined and cancelled, but not expired', async () => {
    for (const status of ['declined', 'expired', 'cancelled']) await settled(status, { group: undefined });
    const { first } = await told(2, 2);
    expect(first.map(({ data }) => [data.status, data.summary, data.people, data.group])).toEqual([
      ['declined', 'Declined', [], undefined],
      ['cancelled', 'Withdrawn by the asker', [], undefined],
    ]);
  });
});

test('a notice for a person in an app goes through the app, and names a child by the app’s id', async () => {
  await home.happen('personNotified', {
    person: home.ada.id,
    about: home.kit.id,
    title: 'Bob asks you',
    body: 'Kit C. on a photo?',
    link: '/a/apr_1',
    kind: 'approval',
    item: ids.uuid(),
    apps: [home.one.id],
  });
  const { first } = await told(1, 0);
  expect(first[0]).toMatchObject({
    type: 'notify',
    data: {
      person: per(home.ada),
      about: per(home.kit),
      title: 'Bob asks you',
      body: 'Kit C. on a photo?',
      link: expect.stringMatching(/^https?:\/\/.*\/a\/apr_1(\?|$)/),
      kind: 'approval',
    },
  });
});

describe('an event that the app does not receive', () => {
  test('is stored, but not sent without a subscription', async () => {
    await home.changeApp(home.one, { eventTypes: ['member.left'] }, ['event_types']);
    await joined(home.ada, { apps: [home.one.id] });
    await home.happen('memberLeft', { ...home.inClub(), apps: [home.one.id], person: snapshot(home.ada) });
    await told(1, 0);
    expect(home.first.types()).toEqual(['member.left']);
    const { events } = await home.by(home.appCaller()).listAppEvents({});
    expect(events.map(({ type }) => type)).toEqual(['member.joined', 'member.left']);
  });

  test('is not sent without an address', async () => {
    await home.changeApp(home.one, { webhookUrl: '' }, ['webhook_url']);
    await joined(home.ada, { apps: [home.one.id] });
    const { deliveries } = await home.by(home.appCaller()).listDeliveries({});
    expect(deliveries).toMatchObject([{ type: 'member.joined', status: 4, attemptCount: 0 }]);
  });

  test('is not sent while the operator suspends the app', async () => {
    const { webhookUrl } = home.one;
    await home.changeApp(home.one, { webhookUrl: '' }, ['suspended']);
    await joined(home.ada, { apps: [home.one.id] });
    const { deliveries } = await home.by(home.appCaller()).listDeliveries({});
    expect(deliveries).toMatchObject([{ type: 'member.joined', status: 4, attemptCount: 0 }]);
    await home.changeApp(home.one, { webhookUrl }, ['restored']);
    await home.happen('memberLeft', { ...home.inClub(), apps: [home.one.id], person: snapshot(home.ada) });
    await told(1, 0);
    expect(home.first.types()).toEqual(['member.left']);
  });
});

test('a thousand events of twenty groups each arrive once, in order within a group', async () => {
  const groups = Array.from({ length: 20 }, () => ids.uuid());
  for (let seq = 1; seq <= 50; seq += 1) {
    await Promise.all(
      groups.map((id) =>
        home.happen('memberLeft', {
          group: { ...home.club, id },
          apps: [home.one.id],
          seq: BigInt(seq),
          person: snapshot(home.ada),
        }),
      ),
    );
  }
  await eventually(() => home.first.arrived.length >= 1_000);
  const seqs = Map.groupBy(home.first.arrived, ({ body }) => body.data.group as string);
  expect(new Set(home.first.arrived.map(({ body }) => body.id)).size).toBe(1_000);
  expect(seqs.size).toBe(20);
  for (const arrived of seqs.values())
    expect(arrived.map(({ body }) => body.data.seq)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
});

test('a person who turns 18 is shown in full from then on', async () => {
  home.kit.ageBand = AgeBand.ADULT;
  await home.happen('personChanged', {
    person: snapshot(home.kit),
    changed: ['age_band'],
    apps: [home.other.id],
  });
  const { second } = await told(0, 1);
  expect(second[0]!.data.person).toMatchObject({ id: per(home.kit), age_band: 'adult', shielded: false });
});
