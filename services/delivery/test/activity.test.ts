import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, hour, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { shieldId } from '@hearth/people';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { type ListActivityResponse, ListActivityResponseSchema } from '@hearth/proto/delivery/v1/activity';
import type { Event } from '@hearth/proto/events/v1/events';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind, Scope } from '@hearth/proto/options';
import { writeJson } from '@hearth/proto-json';
import { actorOf } from '@hearth/rpc';
import { asApp, asPerson, everyPage, failure, textOf } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteActivityBefore } from '../src/activity/db/activity.ts';
import { ids, type KnownGroup, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { snapshot } from './start-apps.ts';
import { newEvent, startDelivery, type TestDelivery } from './start-delivery.ts';

let home: TestDelivery;
let world: World;
let ada: KnownPerson;
let bob: KnownPerson;
let kit: KnownPerson;
let club: KnownGroup;
const app = ids.uuid();

beforeEach(async () => {
  ada = newPerson('Ada Lovelace');
  bob = newPerson('Bob');
  kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [ada.id], app });
  club = { id: ids.uuid(), handle: 'club', name: 'Book club', app: '' };
  world = {
    people: [ada, bob, kit],
    ais: [],
    groups: [club],
    members: new Map([ada, bob, kit].map(({ id }) => [id, [club.id]])),
  };
  home = await startDelivery({}, standIns(world));
});
afterEach(() => home.stop());

type Fields = Parameters<typeof asPerson>[1];
/** A person on the web. */
const personCaller = (person: KnownPerson, rest: Fields = {}) => asPerson(person, { app: '', ...rest });
const appCaller = (id = app) => asApp(id, { name: 'Pictures' });

function aiCaller(name: string, owner: KnownPerson | null, rest: Fields = {}): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: ids.uuid(),
    address: `@${owner?.handle ?? 'free-abc123'}.ai-${name}`,
    name,
    person: owner?.id ?? '',
    minor: owner !== null && owner.ageBand !== AgeBand.ADULT,
    scopes: [Scope.READ],
    via: Via.API,
    ...rest,
  });
}

type Data = Event['data'];
type Value = Record<string, unknown>;
const at = (offset = 0) => home.clock.now() + offset;

/** Announces an event; `offset` is its time in ms from now. */
async function happen(name: Data['case'], value: Value, by?: Caller, offset = 0): Promise<Event> {
  const data = { case: name, value } as unknown as Data;
  const event = newEvent(data, { at: at(offset), ...(by === undefined ? {} : { by: actorOf(by) }) });
  await home.publishAll([event]);
  return event;
}

const posted = (by: Caller, offset = 0, rest: Value = {}) =>
  happen('groupPosted', { group: club, ...rest }, by, offset);
const joined = (person: KnownPerson, offset = 0, rest: Value = {}) =>
  happen(
    'memberJoined',
    { group: club, person: snapshot(person), role: 'member', ...rest },
    personCaller(person),
    offset,
  );

type Request = Parameters<ReturnType<TestDelivery['by']>['listActivity']>[0];
const list = (caller: Caller, request: Request = {}): Promise<ListActivityResponse> =>
  home.by(caller).listActivity(request);
const summaries = async (caller: Caller, request: Request = {}) =>
  (await list(caller, request)).activity.map(({ summary }) => summary);
const isoTimes = async (caller: Caller) =>
  (await list(caller)).activity.map((row) => timestampDate(row.at!).toISOString());

describe('activity', () => {
  test('is shown in words, newest first, once however often the event arrives', async () => {
    await happen('groupCreated', { group: club, person: ada.id }, personCaller(ada), -hour);
    const event = await joined(bob, -minute);
    await home.publishAll([event, event]);
    await happen('groupArchived', { group: club, why: 'ended' });
    const { activity, nextCursor } = await list(personCaller(ada));
    expect(nextCursor).toBeUndefined();
    expect(activity).toMatchObject([
      { action: 'group.archived', summary: 'Book club reached its end and was archived', via: 0 },
      { action: 'member.joined', summary: 'Bob joined Book club', by: '@bob', via: Via.WEB },
      { action: 'group.created', summary: 'Ada Lovelace created the group Book club', by: '@ada' },
    ]);
    expect(activity[0]?.by).toBeUndefined();
    expect(new Set(activity.map(({ group }) => group))).toEqual(new Set([printId('grp', club.id)]));
    expect(activity.map(({ byId, byName, itemRef }) => byId ?? byName ?? itemRef)).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('outlives the person it is about', async () => {
    await joined(bob);
    world.people = [ada];
    expect((await list(personCaller(ada))).activity).toMatchObject([
      { summary: 'Bob joined Book club', by: '@bob' },
    ]);
  });

  test('is kept as a message and its values, which the public JSON leaves out', async () => {
    const decision = { id: ids.uuid(), number: 7n, title: 'A trip\n\0', group: club };
    await happen('decisionChanged', { decision, what: 'started', viewers: [ada.id] }, personCaller(bob));
    const answer = await list(personCaller(ada));
    expect(answer.activity).toMatchObject([
      {
        summary: 'Bob started a decision: A trip',
        wording: { key: 'events.decision.started', values: { by: 'other', who: 'Bob', title: 'A trip' } },
      },
    ]);
    expect(writeJson(ListActivityResponseSchema, answer)).not.toContain('wording');
  });

  test('is not made of direct messages', async () => {
    await happen('messageSent', { messageId: 'msg_1', from: '@ada', to: bob.id }, personCaller(ada));
    expect(await summaries(personCaller(ada))).toEqual([]);
  });
});

describe('who sees an entry', () => {
  test('the organizers and the person who left see the reason for leaving', async () => {
    const reason = { reason: 'No time', organizers: [ada.id] };
    const carol = newPerson('Carol');
    world.people.push(carol);
    world.members.set(carol.id, [club.id]);
    await happen('memberLeft', { group: club, person: snapshot(bob), ...reason }, personCaller(bob));
    const why = 'Bob’s reason for leaving Book club: “No time”';
    expect((await summaries(personCaller(ada))).toSorted()).toEqual(['Bob left Book club', why]);
    expect(await summaries(personCaller(bob))).toContain(why);
    expect(await summaries(personCaller(carol))).toEqual(['Bob left Book club']);
    const inGroup = { group: printId('grp', club.id) };
    expect(await summaries(personCaller(carol), inGroup)).toEqual(['Bob left Book club']);
  });

  test('the people in a group’s decision or ask see it in the group’s list', async () => {
    const decision = { id: ids.uuid(), number: 7n, title: 'Trip', group: club, hiddenFrom: bob.id };
    await happen('decisionChanged', { decision, what: 'started', viewers: [ada.id] }, aiCaller('ai', ada));
    await happen('decisionAgreed', { decision, viewers: [ada.id] }, undefined, minute);
    const ask = { id: ids.uuid(), title: 'Photo?', group: club, to: [ada.id] };
    await happen('approvalRequested', ask, personCaller(kit), 2 * minute);
    await happen('approvalSettled', { ...ask, status: 'approved' }, personCaller(ada), 3 * minute);
    const inGroup = { group: printId('grp', club.id) };
    const { activity } = await list(personCaller(ada), inGroup);
    expect(activity.map(({ action }) => action).toSorted()).toEqual([
      ...['approval.approved', 'approval.requested', 'decision.agreed', 'decision.started'],
    ]);
    expect(new Set(activity.map(({ group }) => group))).toEqual(new Set([inGroup.group]));
    expect(await summaries(personCaller(bob), inGroup)).toEqual([]);
  });

  test('only the organizers see why a member was removed', async () => {
    const reason = { reason: 'Rude', organizers: [ada.id] };
    await happen('memberRemoved', { group: club, person: snapshot(bob), ...reason }, personCaller(ada));
    const removed = 'Ada Lovelace removed Bob from Book club';
    const why = 'Reason for removing Bob from Book club: “Rude”';
    expect((await summaries(personCaller(ada))).toSorted()).toEqual([removed, why]);
    expect(await summaries(personCaller(bob))).toEqual([removed]);
  });

  test('the actor, the owner of an acting AI, the person it is about, and current members see it', async () => {
    const carol = newPerson('Carol');
    const helper = aiCaller('helper', bob);
    await posted(helper);
    await happen(
      'aiChanged',
      { ai: helper.id, owner: bob.id, address: helper.address, changed: ['name'] },
      helper,
    );
    expect(await summaries(personCaller(bob))).toEqual([
      'helper (AI) changed the AI helper: name',
      'helper (AI) posted to Book club',
    ]);
    expect(await summaries(helper)).toEqual(await summaries(personCaller(bob)));
    expect(await summaries(personCaller(ada))).toEqual(['helper (AI) posted to Book club']);
    expect(await summaries(personCaller(carol))).toEqual([]);
    world.members.set(carol.id, [club.id]);
    world.members.set(bob.id, []);
    expect(await summaries(personCaller(carol))).toEqual(['helper (AI) posted to Book club']);
    expect(await summaries(personCaller(bob))).toHaveLength(2);
    world.members.set(carol.id, []);
    expect(await summaries(personCaller(carol))).toEqual([]);
  });

  test('an AI without an owner sees entries about itself, and a group AI sees the group’s', async () => {
    const free = aiCaller('free', null);
    await happen('aiSignedUp', { ai: free.id, address: free.address });
    await happen('aiSignedUp', { ai: ids.uuid(), address: '@free-xyz.ai-other' });
    await posted(personCaller(ada));
    expect(await summaries(free)).toEqual(['The AI free signed up by itself']);
    expect(await summaries(aiCaller('club', null, { group: club.id }))).toEqual([
      'Ada Lovelace posted to Book club',
    ]);
  });

  test('an app sees only entries that name it, with ids, names and items that others do not get', async () => {
    const other = ids.uuid();
    await joined(bob, 0, { apps: [app], itemRef: 'item-7', itemApp: app });
    await joined(bob, 0, { apps: [app], itemRef: 'item-8', itemApp: other });
    await joined(ada);
    expect((await list(appCaller())).activity).toMatchObject([
      { by: '@bob', byId: printId('per', bob.id), byName: 'Bob' },
      { by: '@bob', byId: printId('per', bob.id), byName: 'Bob', itemRef: 'item-7' },
    ]);
    expect((await list(appCaller())).activity[0]!.itemRef).toBeUndefined();
    expect((await list(appCaller(other))).activity).toEqual([]);
    const acting = personCaller(ada, { app: other });
    const { activity } = await list(acting);
    expect(activity.map(({ itemRef }) => itemRef).filter((item) => item !== undefined)).toEqual(['item-8']);
    expect(activity).toHaveLength(3);
    expect((await list(acting)).activity[0]).toMatchObject({ byName: 'Ada Lovelace' });
  });

  test('a person it is hidden from never sees it, nor do their AIs, even when it concerns them', async () => {
    await posted(personCaller(ada));
    await home.run(sql`update delivery.activity set hidden_from = ${[bob.id]}`);
    expect(await summaries(personCaller(bob))).toEqual([]);
    expect(await summaries(aiCaller('helper', bob))).toEqual([]);
    expect(await summaries(personCaller(bob), { group: printId('grp', club.id) })).toEqual([]);
    expect(await summaries(personCaller(bob), { by: '@ada' })).toEqual([]);
    expect(await summaries(personCaller(ada))).toHaveLength(1);
  });

  test('other members do not see requests to join, or the end of somebody else’s invite', async () => {
    const carol = newPerson('Carol');
    world.people.push(carol);
    await happen(
      'joinAsked',
      { group: club, person: snapshot(carol), waitingFor: ['organizer'] },
      personCaller(carol),
    );
    await happen(
      'inviteEnded',
      { group: club, why: 'declined', person: snapshot(carol) },
      personCaller(carol),
    );
    await happen('inviteEnded', { group: club, why: 'revoked' }, personCaller(ada));
    expect(await summaries(personCaller(bob))).toEqual(['An invite to Book club was revoked']);
    expect(await summaries(personCaller(carol))).toEqual([
      'Carol’s invite to Book club was declined',
      'Carol asked to join Book club',
    ]);
  });
});

describe('people under 18', () => {
  const shielded = (viewer: string) => shieldId(home.sealer, viewer, kit.id);

  test('appear in full to themselves, their guardian and their app, and shielded to others', async () => {
    await joined(kit, 0, { apps: [app] });
    const whole = '2026-03-01T12:00:00.000Z';
    for (const viewer of [personCaller(kit), personCaller(ada), appCaller()]) {
      expect((await list(viewer)).activity).toMatchObject([
        { by: '@kit', summary: 'Kit C. joined Book club' },
      ]);
      expect(await isoTimes(viewer)).toEqual([whole]);
    }
    expect((await list(appCaller())).activity[0]).toMatchObject({
      byId: printId('per', kit.id),
      byName: 'Kit C.',
    });

    const other = ids.uuid();
    for (const viewer of [personCaller(bob), aiCaller('helper', bob), personCaller(bob, { app: other })]) {
      const answer = await list(viewer);
      expect(answer.activity).toMatchObject([{ by: shielded(viewer.app || bob.id) }]);
      expect(await isoTimes(viewer)).toEqual(['2026-03-01T00:00:00.000Z']);
      const text = textOf(answer);
      expect(text).not.toMatch(new RegExp(`@kit|Carson|${kit.id}|${kit.id.replaceAll('-', '')}`));
    }
    expect((await list(personCaller(bob, { app: other }))).activity[0]).toMatchObject({
      byId: shielded(other),
      byName: 'Kit C.',
    });
  });

  test('stay shielded after they are gone', async () => {
    await joined(kit);
    world.people = [ada, bob];
    expect((await list(personCaller(bob))).activity).toMatchObject([{ by: shielded(bob.id) }]);
    expect(await isoTimes(personCaller(ada))).toEqual(['2026-03-01T00:00:00.000Z']);
  });

  test('are not revealed by AIs that act for them', async () => {
    const helper = aiCaller('kitshelper', kit);
    world.ais.push({ id: helper.id, address: helper.address });
    await posted(helper, 0, { apps: [app] });
    expect((await list(personCaller(bob))).activity).toMatchObject([
      { by: shielded(bob.id), summary: 'An AI posted to Book club' },
    ]);
    expect((await list(personCaller(ada))).activity).toMatchObject([{ by: '@kit.ai-kitshelper' }]);
    expect((await list(appCaller())).activity).toMatchObject([
      { byId: printId('ai', helper.id), byName: 'kitshelper' },
    ]);
    const asApp = personCaller(bob, { app: ids.uuid() });
    const [row] = (await list(asApp)).activity;
    expect([row?.byId, row?.byName]).toEqual([shielded(asApp.app), undefined]);
    for (const by of [printId('ai', helper.id), helper.address]) {
      const { activity, nextCursor } = await list(personCaller(bob), { by, limit: 1 });
      expect([activity, nextCursor]).toEqual([[], undefined]);
    }
    expect(await summaries(personCaller(ada), { by: printId('ai', helper.id) })).toHaveLength(1);
  });

  test('are found only by the id that the viewer knows', async () => {
    await joined(kit);
    const [bobs, adas] = [personCaller(bob), personCaller(ada)];
    expect(await summaries(bobs, { by: shielded(bob.id) })).toHaveLength(1);
    for (const by of [
      shielded(ada.id),
      printId('per', kit.id),
      '@kit',
      printId('per', ids.uuid()),
      '@nobody',
    ]) {
      expect(await summaries(bobs, { by })).toEqual([]);
    }
    expect(await summaries(adas, { by: '@kit' })).toHaveLength(1);
    expect(await summaries(adas, { by: printId('per', kit.id) })).toHaveLength(1);
  });

  test('cannot be timed by order, `since` or the cursor', async () => {
    const viewer = personCaller(bob);
    await posted(personCaller(bob), -3 * hour);
    await joined(kit, -2 * hour);
    await posted(personCaller(bob), -hour);
    expect(await isoTimes(viewer)).toEqual([
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T09:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
    const since = async (offset: number) => {
      const moment = BigInt(Math.floor(at(offset) / 1_000));
      return summaries(viewer, { since: { seconds: moment, nanos: 0 } });
    };
    const asked = 'Kit C. joined Book club';
    expect(await since(-hour)).toEqual(['Bob posted to Book club', asked]);
    expect(await since(-2.5 * hour)).toEqual(['Bob posted to Book club', asked]);
    expect(await since(hour)).toEqual([asked]);
    expect(await since(12 * hour)).toEqual([]);
    await joined(kit, -2 * day);
    const { nextCursor } = await list(viewer, { limit: 3 });
    const decoded = Buffer.from(nextCursor!, 'base64url').toString('latin1');
    expect(decoded).not.toMatch(/evt_|\d{6}/);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await posted(personCaller(ada), -3 * hour);
    await joined(bob, -2 * hour);
    await happen(
      'groupPosted',
      { group: { ...club, id: ids.uuid(), name: 'Other' } },
      personCaller(ada),
      -hour,
    );
  });
  const all = ['Ada Lovelace posted to Other', 'Bob joined Book club', 'Ada Lovelace posted to Book club'];

  test.each<[Request, number[]]>([
    [{ action: 'group.posted' }, [0, 2]],
    [{ action: 'nothing.known' }, []],
    [{ by: '@ada' }, [0, 2]],
    [{ by: '@bob' }, [1]],
    [{ by: 'bob@hearth.example' }, [1]],
    [{ by: 'bob@elsewhere.example' }, []],
    [{ by: '@ada', action: 'member.joined' }, []],
    [{ group: '&club' }, [1, 2]],
    [{ group: '&club', by: '@ada' }, [2]],
    [{ group: '&nothing' }, []],
    [{ group: `grp_${'0'.repeat(32)}` }, []],
  ])('%j', async (request, expected) => {
    expect(await summaries(personCaller(ada), request)).toEqual(expected.map((index) => all[index]));
  });

  test('combine ids, AI addresses and since', async () => {
    const helper = aiCaller('helper', ada);
    await posted(helper);
    const viewer = personCaller(ada);
    const words = ['helper (AI) posted to Book club'];
    for (const by of [printId('ai', helper.id), '@ada.ai-helper', '@Ada.AI-helper'])
      expect(await summaries(viewer, { by })).toEqual(words);
    expect(await summaries(viewer, { by: '@ada.ai-other' })).toEqual([]);
    expect(await summaries(viewer, { group: printId('grp', club.id), by: printId('per', bob.id) })).toEqual([
      all[1],
    ]);
    const seconds = BigInt(at(-2 * hour) / 1_000);
    expect(await summaries(viewer, { since: { seconds, nanos: 0 } })).toEqual([...words, all[0], all[1]]);
  });

  test('accept a remote person by address or local id', async () => {
    const zoe = newPerson('Zoe', { home: 'other.example' });
    world.people.push(zoe);
    await posted(personCaller(zoe, { address: 'zoe@other.example' }));
    for (const by of ['zoe@other.example', '@zoe@other.example', printId('per', zoe.id)])
      expect(await summaries(personCaller(ada), { by })).toEqual(['Zoe posted to Book club']);
    expect(await summaries(personCaller(ada), { by: 'zoe@third.example' })).toEqual([]);
  });

  test.each<[Request, string]>([
    [{ by: 'ada' }, 'by'],
    [{ by: 'grp_1' }, 'by'],
    [{ by: '' }, 'by'],
    [{ group: 'club' }, 'group'],
    [{ group: '@ada' }, 'group'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: '' }, 'cursor'],
    [{ cursor: 'A'.repeat(200) }, 'cursor'],
  ])('%j is refused', async (request, field) => {
    expect(await failure(list(personCaller(ada), request))).toBe(`bad_request bad_field ${field}`);
  });
});

describe('pages', () => {
  test('continue where the last one ended, while entries arrive, even with many at one moment', async () => {
    for (let index = 0; index < 12; index += 1)
      await posted(personCaller(ada), -Math.floor(index / 4) * minute, {
        group: { ...club, name: `No. ${index}` },
      });
    const viewer = personCaller(bob);
    const pages = await everyPage(async (at) => {
      const page = await list(viewer, { limit: 5, ...at });
      await posted(personCaller(ada), hour);
      return page;
    });
    const seen = pages.flatMap(({ activity }) => activity.map(({ summary }) => /No\. \d+/.exec(summary)![0]));
    // Rows of the same time are in any order, but the same on every page.
    const byMinute = seen.map((name) => Math.floor(Number(name.slice('No. '.length)) / 4));
    expect(byMinute).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    expect(new Set(seen).size).toBe(12);
  });

  test('belong to one viewer, whose cursor works for nobody else', async () => {
    for (let index = 0; index < 3; index += 1) await posted(personCaller(ada));
    const { nextCursor } = await list(personCaller(ada), { limit: 2 });
    expect(await failure(list(personCaller(bob), { cursor: nextCursor! }))).toBe(
      'bad_request bad_field cursor',
    );
    expect((await list(personCaller(ada), { cursor: nextCursor! })).activity).toHaveLength(1);
  });

  test('stop early when too few of too many entries pass, and continue from there', async () => {
    await joined(bob, -2 * day);
    await posted(personCaller(ada), -day);
    await home.run(sql`
          with made as (
            insert into delivery.activity
            select gen_random_uuid(), a.part, a.at + n * interval '1 second', a.sort_at + n * interval '1 second', a.action,
              a.actor_kind, a.actor, a.actor_person, a.actor_address, a.actor_name, a.actor_minor, a.via, a.group_id,
              a.about, a.about_minor, a.item_ref, a.summary, a.hidden_from, a.subjects
            from delivery.activity a, generate_series(1, 12000) n where a.action = 'group.posted'
            returning *)
          insert into delivery.activity_subjects
          select subject, sort_at, event, part from made, unnest(subjects) as subject`);
    const viewer = personCaller(bob);
    const pages = await everyPage((at) => list(viewer, { action: 'member.joined', ...at }));
    const found = pages.flatMap(({ activity }) => activity.map(({ summary }) => summary));
    expect([found, pages.length]).toEqual([['Bob joined Book club'], 3]);
  });

  test('have 20 entries by default', async () => {
    for (let index = 0; index < 21; index += 1) await posted(personCaller(ada));
    expect((await list(personCaller(ada))).activity).toHaveLength(20);
    expect((await list(personCaller(ada), { limit: 100 })).activity).toHaveLength(21);
  });
});

test('entries past their retention are deleted, and no others', async () => {
  await posted(personCaller(ada), -401 * day);
  await joined(kit, -400.4 * day);
  await posted(personCaller(bob), -399 * day);
  const before = new Date(at(-400 * day));
  const purge = () => home.database.statement((tx) => deleteActivityBefore(tx, before, 1_000));
  await Promise.all([purge(), purge()]);
  expect(await summaries(personCaller(ada))).toEqual(['Bob posted to Book club']);
  const left = await home.database.db.one(sql`select (select count(*)::int from delivery.activity) as rows,
      (select count(*)::int from delivery.activity_subjects) as listed`);
  expect(left).toEqual({ rows: 1, listed: 2 });
});
