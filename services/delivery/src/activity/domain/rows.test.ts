import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { ActorSchema, Via } from '@hearth/proto/common/v1/caller';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { audiences } from '../../events/module.ts';
import type { ActivityRow } from '../db/activity.ts';
import { toRow } from './rows.ts';

type EventCase = Exclude<Event['data']['case'], undefined>;

const activityCases = EventSchema.oneofs[0]!.fields.filter(({ name }) =>
  audiences.activity.types.includes(name),
).map(({ localName }) => localName as EventCase);
const rowsOf = (event: Event) => audiences.activity.drafts(event).map(toRow);

const uuidOf = (last: string) => `01900000-0000-7000-8000-${last.padStart(12, '0')}`;
const [event, ai, person, child, owner, group, app] = ['1', '2', '3', '4', '5', '6', '7'].map(uuidOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const at = Date.parse('2026-03-01T12:34:56.789Z');

const club = { id: group, handle: 'club', name: 'Book club', app };
const robin = { id: ai, address: '@kidhandle.ai-robin', name: 'Robin', owner };
const bob = { id: person, name: 'Bob', handle: 'bob', minor: false };
const kit = { id: child, name: 'Kit C.', handle: '', minor: true };
const ada = { kind: CallerKind.PERSON, id: owner, address: '@ada', name: 'Ada', person: owner, via: Via.WEB };

function rows(name: EventCase, value: object, by?: object): ActivityRow[] {
  return rowsOf(
    create(EventSchema, {
      id: `evt_${event.replaceAll('-', '')}`,
      at: timestampFromMs(at),
      data: { case: name, value } as unknown as Event['data'],
      ...(by === undefined ? {} : { by: create(ActorSchema, by) }),
    }),
  );
}

const words = (name: EventCase, value: object, by?: object) =>
  rows(name, value, by).map(({ summary }) => summary);

describe('the sentence of', () => {
  test.each<[EventCase, object, object | undefined, string]>([
    ['aiSignedUp', { ai, address: '@free-abc.ai-robin' }, undefined, 'The AI robin signed up by itself'],
    ['aiCreated', { ai: robin }, ada, 'Ada created the AI Robin'],
    [
      'aiChanged',
      { ai, address: '@a.ai-robin', changed: ['name', 'away', 'owner_private'] },
      ada,
      'Ada changed the AI robin: absence, name and owner’s privacy',
    ],
    ['aiChanged', { ai, changed: [] }, undefined, 'An AI was changed: other details'],
    ['aiClaimed', { ai: robin, status: 'claimed' }, ada, 'Ada claimed the AI Robin'],
    ['aiClaimed', { ai: robin, status: 'vouched' }, undefined, 'Someone vouched for the AI Robin'],
    ['aiUnclaimed', { ai: robin, owner, why: 'released' }, undefined, 'The AI Robin has no owner anymore'],
    ['aiUnvouched', { ai: robin, person }, undefined, 'No one vouches for the AI Robin anymore'],
    [
      'aiRevoked',
      { ai, address: '&club.ai-helper', reason: 'rude words' },
      { kind: CallerKind.OPERATOR },
      'The operator removed the AI helper',
    ],
    ['groupCreated', { group: club, person }, undefined, 'The group Book club was created'],
    [
      'groupUpdated',
      { group: club, changed: ['time_zone', 'ends_at'] },
      ada,
      'Ada changed Book club: end date and time zone',
    ],
    [
      'groupArchived',
      { group: club, why: 'organizer_left' },
      ada,
      'Book club was archived because its last organizer left',
    ],
    ['groupArchived', { group: club, why: 'organizer_archived' }, ada, 'Ada archived Book club'],
    ['groupDeleted', { group: club }, undefined, 'The group Book club was deleted'],
    ['memberJoined', { group: club, person: kit, role: 'member' }, undefined, 'Kit C. joined Book club'],
    [
      'memberJoined',
      { group: club, person: bob, role: 'organizer' },
      undefined,
      'Bob joined Book club as an organizer',
    ],
    ['memberLeft', { group: club, person: bob }, undefined, 'Bob left Book club'],
    ['memberRemoved', { group: club, person: bob }, ada, 'Ada removed Bob from Book club'],
    [
      'roleChanged',
      { group: club, person: bob, role: 'organizer' },
      ada,
      'Bob is now an organizer of Book club',
    ],
    [
      'roleChanged',
      { group: club, person: bob, role: 'member' },
      ada,
      'Bob is no longer an organizer of Book club',
    ],
    [
      'groupPosted',
      { group: club },
      { ...ada, kind: CallerKind.AI, id: ai, name: 'Robin' },
      'Robin (AI) posted to Book club',
    ],
    [
      'groupPosted',
      { group: club },
      { kind: CallerKind.AI, id: ai, name: 'Kits helper', person: child },
      'An AI posted to Book club',
    ],
    [
      'inviteCreated',
      { group: club, reusable: true },
      ada,
      'Ada created an invite for several people to Book club',
    ],
    ['inviteEnded', { group: club, why: 'expired' }, undefined, 'An invite to Book club expired'],
    [
      'inviteEnded',
      { group: club, why: 'withdrawn', person: kit },
      undefined,
      'Kit C.’s invite to Book club was withdrawn',
    ],
    ['joinAsked', { group: club, person: kit }, undefined, 'Kit C. asked to join Book club'],
    ['personCreated', { person: bob }, undefined, 'Bob has an account here'],
    [
      'personChanged',
      { person: bob, changed: ['age_band'] },
      undefined,
      'Bob’s account was changed: age band',
    ],
    ['deletionAsked', { person: bob }, undefined, 'Bob’s account will be deleted'],
    ['deletionTakenBack', { person: bob }, undefined, 'Bob’s account will be kept'],
    [
      'deletionAsked',
      { person: bob, reason: 'by mail' },
      { kind: CallerKind.OPERATOR },
      'Bob’s account will be deleted: by mail',
    ],
    ['accountDeleted', { deleted: [person, child] }, undefined, '2 accounts were deleted'],
    ['appChanged', { app, changed: ['created'] }, undefined, 'The app was created'],
    ['appChanged', { app, changed: ['redirect_uris'] }, undefined, 'The app was changed: redirect addresses'],
    ['groupPosted', {}, undefined, 'A member posted to a group'],
    [
      'deliveriesReplayed',
      { app, count: 1, reason: 'Their host was replaced' },
      { kind: CallerKind.OPERATOR },
      'The operator sent 1 event again: Their host was replaced',
    ],
    [
      'deliveriesReplayed',
      { ai, owner: person, count: 2, reason: 'Their host was replaced' },
      { kind: CallerKind.OPERATOR },
      'The operator sent 2 callbacks again: Their host was replaced',
    ],
    [
      'aiSuspended',
      { ai: robin, until: timestampFromMs(at), reason: 'spam' },
      { kind: CallerKind.OPERATOR },
      'The operator suspended the AI Robin until 2026-03-01T12:34:56.789Z: spam',
    ],
    ['aiRestored', { ai: robin }, undefined, 'The AI Robin is no longer suspended'],
    [
      'aiRestored',
      { ai: robin, reason: 'a mistake' },
      { kind: CallerKind.OPERATOR },
      'The operator let the AI Robin act again: a mistake',
    ],
    [
      'feedbackAnswered',
      { sender: ai, status: 'done' },
      { kind: CallerKind.OPERATOR },
      'The operator answered feedback',
    ],
    ['feedbackAnswered', { sender: ai, status: 'read' }, undefined, 'Feedback was read'],
    [
      'destinationResumed',
      { ai, subscription: event, reason: 'It works' },
      undefined,
      'The webhook address is in use again: It works',
    ],
    [
      'destinationResumed',
      { ai, reason: 'It works' },
      undefined,
      'Waiting callbacks are being sent: It works',
    ],
  ])('%s %j by %j', (name, value, by, expected) => {
    expect(words(name, value, by)).toEqual([expected]);
  });

  test('every kind of event is one line, whatever the names contain', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const named = fc.record({ id: fc.constant(child), name: text, handle: text, minor: fc.boolean() });
    const value = fc.record({
      group: named,
      person: named,
      ai: named,
      changed: fc.array(text),
      why: text,
      itemRef: text,
      reason: text,
    });
    const by = fc.record({
      kind: fc.constantFrom(...[1, 2, 3, 4, 5]),
      id: fc.constant(person),
      name: text,
      person: text,
      address: text,
    });
    fc.assert(
      fc.property(fc.constantFrom(...activityCases), value, by, (name, given, actor) => {
        const plain = [
          'aiSignedUp',
          'aiChanged',
          'aiRevoked',
          'destinationResumed',
          'deliveriesReplayed',
        ].includes(name);
        const shaped = { ...given, ...(plain ? { ai, address: given.why } : {}) };
        if (['groupCreated', 'aiClaimed', 'aiUnvouched', 'feedbackAnswered'].includes(name))
          Object.assign(shaped, { person });
        if (name === 'accountDeleted') Object.assign(shaped, { deleted: [], handovers: [], apps: [] });
        for (const row of rows(name, shaped, actor)) {
          expect(row.summary).toMatch(/^\S(?:.*\S)?$/u);
          expect([...row.summary].length).toBeLessThanOrEqual(300);
          expect(row.summary).not.toContain(child);
          expect(JSON.stringify(row)).not.toContain('\\u0000');
          expect(row.subjects.every((subject) => /^[0-9a-f-]{36}$/.test(subject))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a row', () => {
  test('is listed once for each party it concerns', () => {
    const [row] = rows(
      'memberJoined',
      { group: club, person: bob, apps: [app, app, ''] },
      { ...ada, app: uuidOf('8') },
    );
    expect([...row!.subjects].sort()).toEqual([group, app, person, owner, uuidOf('8')].sort());
    expect(row).toMatchObject({
      event,
      part: 0,
      group,
      about: person,
      actor: owner,
      actorPerson: owner,
      actorAddress: '@ada',
      via: Via.WEB,
    });
  });

  test('keeps its moment, and is sorted by day when a person under 18 is in it', () => {
    const [moment, startOfDay] = [new Date(at), new Date('2026-03-01T00:00:00.000Z')];
    const order = (name: EventCase, value: object, by: object) =>
      rows(name, value, by).map(({ at, sortAt }) => [at, sortAt]);
    const childs = { kind: CallerKind.PERSON, id: child, address: '', name: 'Kit Carson', person: child };
    expect(order('memberJoined', { group: club, person: bob }, ada)).toEqual([[moment, moment]]);
    expect(order('memberJoined', { group: club, person: kit }, ada)).toEqual([[moment, startOfDay]]);
    expect(order('groupPosted', { group: club }, childs)).toEqual([[moment, startOfDay]]);
    expect(rows('groupPosted', { group: club }, childs)).toMatchObject([
      { actorMinor: true, actorName: 'Kit C.', summary: 'Kit C. posted to Book club' },
    ]);
    expect(
      order('groupPosted', { group: club }, { kind: CallerKind.APP, id: app, name: 'Pictures' }),
    ).toEqual([[moment, moment]]);
  });

  test('is also made for each child handed over when an account is deleted', () => {
    const made = rows('accountDeleted', {
      deleted: [person],
      handovers: [
        { child, guardian: owner },
        { child, guardian: '' },
      ],
      apps: [app],
    });
    expect(
      made.map(({ part, action, about, aboutMinor, subjects }) => ({
        part,
        action,
        about,
        aboutMinor,
        subjects,
      })),
    ).toEqual([
      { part: 0, action: 'account.deleted', about: null, aboutMinor: false, subjects: [person, app] },
      { part: 1, action: 'guardian.changed', about: child, aboutMinor: true, subjects: [owner, app, child] },
      { part: 2, action: 'guardian.changed', about: child, aboutMinor: true, subjects: [app, child] },
    ]);
  });

  test('is not made for an event without an id or a time, or of an unknown kind', () => {
    const data = { case: 'groupPosted', value: { group: club } } as unknown as Event['data'];
    const id = `evt_${event.replaceAll('-', '')}`;
    const made = [
      create(EventSchema, { id: 'evt_1', at: timestampFromMs(at), data }),
      create(EventSchema, { id, data }),
      create(EventSchema, { id, at: timestampFromMs(at) }),
      create(EventSchema, { id, at: timestampFromMs(at), data: { case: 'messageSent', value: {} } }),
      create(EventSchema, { id, at: timestampFromMs(at), data: { case: 'personNotified', value: {} } }),
    ];
    expect(made.flatMap(rowsOf)).toEqual([]);
  });
});
