import { home } from './material.ts';
import { reader } from './request-vectors.ts';

/** The object of a state from home.example, as other.example reads it. */
export interface StateCase {
  name: string;
  kind: string;
  /** The id of the item. */
  id: string;
  object: unknown;
  status: 'ok' | 'rejected';
  /** The path of the wrong member, or of the object where a rule covers all of it. */
  path?: string;
}

type Json = Record<string, unknown>;

const ref = (id: string, at = home) => `r:${at}:${id}`;
const [ana, ben] = [`ana@${home}`, `ben@${reader.home}`];
const adult = { kind: 'person', age_band: 'adult', guest: false, shielded: false };
const person = (address: string, name: string) => ({ id: address, address, name, ...adult });
const group = { id: ref('grp_1'), name: 'Sunday lunch', address: `&sunday-lunch@${home}` };
const [asked, deadline] = ['2026-01-15T10:00:00.000Z', '2026-01-17T10:00:00.000Z'];

/** One state of each kind; asks have a page and digest of their own. */
export const states: Readonly<Record<string, Json & { id: string }>> = {
  group: {
    ...group,
    ...{ group_ai: '', settings: { minors: 'no', join_review: 'none' }, archived: false },
    time_zone: 'Europe/Zurich',
    members: [
      { person: person(ana, 'Ana'), role: 'organizer', joined_at: asked },
      { person: person(ben, 'Ben'), role: 'member', joined_at: asked },
    ],
  },
  invite: {
    ...{ id: ref('inv_1'), invited_by: ana, name: 'Ana', status: 'waiting', group },
    ...{ created_at: asked, expires_at: '2026-01-22T10:00:00.000Z', needs_review: false },
  },
  post: {
    ...{ id: ref('msg_1'), group: ref('grp_1'), from: ana, from_name: 'Ana', by_ai: false },
    ...{ text: 'I bring the bread.', at: asked, via: 'web', final: true },
  },
  decision: {
    ...{
      id: ref('7'),
      title: 'Lunch on Sunday',
      status: 'open',
      group,
      asked_by: { name: 'Ana', address: ana },
    },
    questions: [
      { id: 1, kind: 'choice', prompt: 'What do we eat?', options: ['Soup', 'Pizza'] },
      { id: 2, kind: 'bring', prompt: 'What do you bring?', options: [] },
    ],
    ...{ waiting_on: [ana, ben], people_asked: 2, people_answered: 0, answers: [], needs: 'answered' },
    ...{ deadline, at: asked, time_zone: 'Europe/Zurich', revision: 1 },
  },
  plan: {
    ...{ id: ref('pln_1'), title: 'A walk', status: 'open', group: ref('grp_1'), group_name: 'Sunday lunch' },
    ...{ by: ana, created_at: asked },
    options: [
      {
        ...{ id: 1, starts_at: '2026-01-18T13:00:00.000Z', ends_at: '2026-01-18T15:00:00.000Z' },
        stances: [{ person: ben, name: 'Ben', stance: 'works', at: asked }],
      },
      { id: 2, date: '2026-01-24', stances: [] },
    ],
    people: [person(ana, 'Ana'), person(ben, 'Ben')],
    ...{ waiting_on: [ana], time_zone: 'Europe/Zurich', deadline, revision: 2 },
  },
  offer: {
    ...{ id: ref('ofr_1'), by: ana, by_name: 'Ana', name_verified: true, title: 'The roof' },
    slots: [{ starts_at: '2026-02-02T10:00:00.000Z', ends_at: '2026-02-02T11:00:00.000Z', free: true }],
    ...{ time_zone: 'Europe/Zurich', place: 'On the phone', status: 'open' },
    ...{ expires_at: '2026-02-02T10:00:00.000Z', times: 1, booked: 0, created_at: asked },
  },
  meeting: {
    ...{ id: ref('mtg_1'), uid: `meeting-1@${home}`, sequence: 0, offer: ref('ofr_1'), title: 'The roof' },
    ...{ starts_at: '2026-02-02T10:00:00.000Z', ends_at: '2026-02-02T11:00:00.000Z' },
    ...{ time_zone: 'Europe/Zurich', place: 'On the phone', with: [ana], with_name: 'Ana' },
    ...{ name_verified: true, offered: false, status: 'booked', booked_at: asked, revision: 1 },
  },
};

const always: Readonly<Record<string, readonly string[]>> = {
  group: ['address'],
  invite: ['status', 'group', 'created_at', 'expires_at'],
  post: ['group', 'at'],
  decision: ['title', 'status', 'group', 'at', 'deadline'],
  plan: ['title', 'status', 'created_at', 'options', 'deadline'],
  offer: ['status', 'slots', 'created_at', 'expires_at'],
  meeting: ['status', 'starts_at', 'ends_at', 'booked_at'],
};

const whole = 'body.object';

function but(kind: string, change: Json): Json {
  return { ...states[kind], ...change };
}

const ok = (name: string, kind: string, change: Json = {}): StateCase => ({
  ...{ name: `${kind}: ${name}`, kind, id: states[kind]!.id, object: but(kind, change), status: 'ok' },
});

/** @param path of the wrong member; the whole object by default */
const wrong = (name: string, kind: string, change: Json, path = ''): StateCase => ({
  ...ok(name, kind, change),
  ...{ status: 'rejected', path: path === '' ? whole : `${whole}.${path}` },
});

/** Each rule of docs/protocol/items.md about objects of states, kept and broken. */
export function stateCases(): StateCase[] {
  return [...Object.keys(states).flatMap(ofEach), ...ofMembers(), ...ofNames()];
}

function ofEach(kind: string): StateCase[] {
  return [
    ok('as the page about items has it', kind),
    ok('the last state', kind, { final: true }),
    ok('with a member that nobody knows', kind, { later: { x: 1 } }),
    wrong('of another id than its item', kind, { id: ref('other_1') }, 'id'),
    wrong('without an id', kind, { id: undefined }, 'id'),
    ...always[kind]!.map((name) => wrong(`without ${name}`, kind, { [name]: undefined }, name)),
  ];
}

function ofMembers(): StateCase[] {
  return [
    wrong('options in no list', 'plan', { options: 'soon' }, 'options'),
    wrong('without any option', 'plan', { options: [] }, 'options'),
    wrong('a title that is a number', 'decision', { title: 7 }, 'title'),
    wrong('an empty title', 'decision', { title: '' }, 'title'),
    wrong('a title of two lines', 'decision', { title: 'Lunch\nSupper' }, 'title'),
    ok('a title of 300 characters', 'decision', { title: 't'.repeat(300) }),
    wrong('a title of 301 characters', 'decision', { title: 't'.repeat(301) }, 'title'),
    wrong('a name of two lines', 'group', { name: 'Lunch\nSupper' }, 'name'),
    wrong('a name of two lines', 'post', { from_name: 'Ana\nBen' }, 'from_name'),
    wrong('a group with a name of two lines', 'invite', { group: { ...group, name: 'a\nb' } }, 'group.name'),
    ok('a text of several lines', 'post', { text: 'Bread\nand salt' }),
    wrong('a record with U+0000', 'decision', { record: { text: 'Bread\u0000' } }),
    wrong('a deadline that is no time', 'plan', { deadline: 'soon' }, 'deadline'),
    wrong('created at no time', 'invite', { created_at: 1_768_471_200 }, 'created_at'),
    wrong('a group that is a text', 'decision', { group: ref('grp_1') }, 'group'),
    wrong('slots that are texts', 'offer', { slots: ['soon'] }, 'slots[0]'),
    wrong('slots at no time', 'offer', { slots: [{ starts_at: 'soon' }] }, 'slots[0].starts_at'),
    wrong('archived as a text', 'group', { archived: 'no' }, 'archived'),
    wrong('by an AI as a text', 'post', { by_ai: 'no' }, 'by_ai'),
    wrong('a sequence as a text', 'meeting', { sequence: 'first' }, 'sequence'),
    wrong('a zone that is a sentence', 'plan', { time_zone: 'Now sign in again' }),
    wrong('cancelled for a reason that is a sentence', 'decision', { why: 'Now sign in again' }),
  ];
}

/** Cases of addresses without their home, and of things and groups that don't belong to the sending home. */
function ofNames(): StateCase[] {
  const third = 'third.example';
  return [
    ok('waiting for people of a third home', 'decision', { waiting_on: [ana, `cleo@${third}`] }),
    wrong('waiting for an address without its home', 'decision', { waiting_on: ['@ana'] }),
    wrong('waiting for an address in another form', 'decision', { waiting_on: [`@ana@${home}`] }),
    wrong('waiting for an address in capitals', 'decision', { waiting_on: [`Ana@${home}`] }),
    wrong('of a group of another home', 'decision', { group: { ...group, id: ref('grp_1', third) } }),
    wrong('of a group with the address of another home', 'decision', {
      group: { ...group, address: `&sunday-lunch@${third}` },
    }),
    wrong('of a group with an id that is no reference', 'decision', { group: { ...group, id: 'grp_1' } }),
    wrong('of a group of another home', 'plan', { group: ref('grp_1', reader.home) }),
    wrong('into a group of another home', 'invite', { group: { ...group, id: ref('grp_1', third) } }),
    wrong('in a group of another home', 'post', { group: ref('grp_1', third) }),
    wrong('from an address without its home', 'post', { from: '@ana' }),
    wrong('with the address of another home', 'group', { address: `&sunday-lunch@${third}` }),
    wrong('with a member without a home', 'group', {
      members: [{ person: person('@ana', 'Ana'), role: 'organizer', joined_at: asked }],
    }),
    wrong('with someone without a home', 'meeting', { with: ['@ana'] }),
    wrong('of an offer of another home', 'meeting', { offer: ref('ofr_1', third) }),
    wrong('by someone without a home', 'offer', { by: '@ana' }),
  ];
}
