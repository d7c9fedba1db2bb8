import { create } from '@bufbuild/protobuf';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { DecisionStatus, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision, HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { signRecord } from '@hearth/signing';
import { asApp, type FakeGroup, failure, follows, ids, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answers, dinner, firm, startDecisions, times } from './start-decisions.ts';

const { here, there, carry, stop } = await startAtTwo('decisions', startDecisions);
afterAll(stop);

/** Ada is of the home here, Ben of the other. */
let ada: PersonFacts;
let ben: PersonFacts;
let group: FakeGroup;

beforeEach(async () => {
  ada = here.newPerson();
  ben = there.newPerson({ app: '' });
  group = here.newGroup([ada]);
  await joins(ben);
});

const reference = () => `r:${here.name}:${printId('grp', group.facts.id)}`;
const away = ({ handle }: PersonFacts) => `${handle}@${there.name}`;

/** Adds a person of the other home to the group, and waits until both homes know. */
async function joins(person: PersonFacts): Promise<string> {
  const parties = here.home.client(PartiesService, 'decisions');
  const sender = { id: printId('per', person.id), kind: 'person', name: person.name };
  const { profile } = await parties.meetParty({ address: away(person), senderJson: JSON.stringify(sender) });
  group.members.add(profile!.id);
  const known = there.world.groupsById.get(reference());
  const facts = create(GroupFactsSchema, { id: reference() });
  there.world.groupsById.set(reference(), {
    facts,
    organizers: new Set(),
    members: new Set([...(known?.members ?? []), person.id]),
  });
  return profile!.id;
}

const refOf = (number: string) => `r:${here.name}:${number}`;
/** The decision as the other home has it, once it has arrived. */
const arrived = (number: string, who = ben) =>
  follows(async () => {
    await carry(here, there);
    return await there.by(who).getDecision({ id: refOf(number) });
  });
/** Waits until the other home has the decision as expected. */
const becomes = (number: string, expected: object) =>
  follows(async () => expect(await arrived(number)).toMatchObject(expected));
const carried = <Answer>(call: Promise<Answer>) => carry.during(there, here, call);
/** An act of Ben's, as his home delivers it. */
const answerAs = (n: number, id: string, given: object[]) =>
  receive(
    here,
    create(HomeItemSchema, {
      ...{ type: HomeItemType.ACT, id: `r:${there.name}:act_${n}`, home: there.name, from: away(ben) },
      senderJson: JSON.stringify({ id: 'per_1', kind: 'person', name: 'Ben' }),
      bodyJson: JSON.stringify({
        ...{ on: refOf(id), operation: 'answer_decision', by: 'person', proof: 'tap', via: 'web' },
        request: { answers: given },
      }),
      itemJson: '{}',
    }),
  );
const wishes = answers([times[0]!, times[1]!], 'Soup', 'bread');
const sameWishes = answers([times[0]!], 'Soup', 'wine');

describe('a decision of a group with a member of another home', () => {
  test('reaches them, is answered and approved there, and is agreed with their signed act in its record', async () => {
    const { id } = await here.decide(ada, group);
    expect(await arrived(id)).toMatchObject({
      id: refOf(id),
      status: DecisionStatus.OPEN,
      group: { id: reference(), address: `&${group.facts.handle}@${here.name}` },
      askedBy: { address: `${ada.handle}@${here.name}`, name: ada.name },
      waitingOn: [`${ada.handle}@${here.name}`, `@${ben.handle}`],
    });
    expect((await there.by(ben).listDecisions({ waitingOn: 'me' })).decisions).toMatchObject([
      { id: refOf(id) },
    ]);
    expect(await there.events('decisions', 'decisionChanged')).toMatchObject([
      {
        data: {
          value: {
            decision: { reference: refOf(id), group: { reference: reference(), id: '' } },
            needs: [{ person: ben.id, byAi: false }],
          },
        },
      },
    ]);
    const answered = await carried(there.by(ben).answerDecision({ id: refOf(id), answers: wishes }));
    expect(answered).toMatchObject({
      id: refOf(id),
      peopleAnswered: 1,
      waitingOn: [`${ada.handle}@${here.name}`],
    });
    // Others see nothing yet; they see their own answers.
    expect((await arrived(id)).answers).toMatchObject([
      { person: `@${ben.handle}` },
      { person: `@${ben.handle}` },
      { person: `@${ben.handle}` },
    ]);
    const proposed = await here.by(ada).answerDecision({ id, answers: sameWishes });
    expect(proposed).toMatchObject({ status: DecisionStatus.PROPOSED });
    await becomes(id, {
      status: DecisionStatus.PROPOSED,
      proposal: {
        version: 1,
        bring: [{ person: `${ada.handle}@${here.name}` }, { person: `@${ben.handle}`, what: 'bread' }],
      },
    });
    await here.by(ada).approveDecision({ id, decision: Verdict.APPROVED, version: 1 });
    const approving = { id: refOf(id), decision: Verdict.APPROVED, version: 1 };
    const agreed = await carried(there.by(ben).approveDecision(approving));
    expect(agreed).toMatchObject({ status: DecisionStatus.AGREED });
    const own = await here.by(ada).getDecision({ id });
    expect(own.record).toMatchObject({
      approvals: expect.arrayContaining([expect.objectContaining({ to: away(ben), decision: 'approved' })]),
      acts: [
        { type: 'act', body: { operation: 'answer_decision', on: refOf(id) } },
        { type: 'act', body: { operation: 'approve_decision' } },
      ],
    });
    await becomes(id, { status: DecisionStatus.AGREED, record: own.record });
    // Nothing follows: an agreed decision refuses.
    expect(await failure(carried(there.by(ben).approveDecision(approving)))).toMatch('bad_request');
  });

  test('can be linked to items of an app there that holds one of them, once it is agreed', async () => {
    const cleo = there.newPerson();
    await joins(cleo);
    const { id } = await here.decide(ada, group);
    await arrived(id, cleo);
    const link = { kind: 'decision', id: refOf(id), itemRef: 'evening-7', listRef: 'shopping-7' };
    const app = there.by(asApp(cleo.app));
    expect(await failure(app.linkOutcome(link))).toBe('bad_request bad_field id');
    for (const who of [ben, cleo])
      await carried(there.by(who).answerDecision({ id: refOf(id), answers: sameWishes }));
    await here.by(ada).answerDecision({ id, answers: sameWishes });
    const approved = { decision: Verdict.APPROVED, version: 1 };
    await here.by(ada).approveDecision({ id, ...approved });
    await becomes(id, { status: DecisionStatus.PROPOSED });
    for (const who of [ben, cleo])
      await carried(there.by(who).approveDecision({ id: refOf(id), ...approved }));
    await becomes(id, { status: DecisionStatus.AGREED });
    const outcome = { itemRef: 'evening-7', listRef: 'shopping-7' };
    expect(await app.linkOutcome(link)).toMatchObject({ id: refOf(id), outcome });
    expect((await there.by(cleo).getDecision({ id: refOf(id) })).outcome).toMatchObject(outcome);
    expect((await there.by(cleo).listDecisions({})).decisions).toMatchObject([{ id: refOf(id), outcome }]);
    expect((await there.by(ben).getDecision({ id: refOf(id) })).outcome).toBeUndefined();
    expect(await failure(there.by(asApp(ids.uuid())).linkOutcome(link))).toBe('not_found not_found');
  });

  test('never names a person under 18', async () => {
    const child = here.newPerson({
      ageBand: AgeBand.CHILD,
      guardians: [ada.id],
      aiShare: true,
      name: 'Kit Quill',
    });
    group.members.add(child.id);
    const { id } = await here.decide(ada, group);
    await here
      .by(ada)
      .answerDecision({ id, answers: answers([times[0]!], 'Soup', 'cake of Ada'), for: `@${ada.handle}` });
    await here
      .by(ada)
      .answerDecision({ id, answers: answers([times[0]!], 'Soup', 'a kite'), for: printId('per', child.id) });
    await arrived(id);
    await carried(there.by(ben).answerDecision({ id: refOf(id), answers: wishes }));
    await becomes(id, { status: DecisionStatus.PROPOSED, peopleAsked: 2 });
    const told = (await here.events('decisions', 'itemForHomes'))
      .map(({ data }) => data.value.bodyJson)
      .filter((body) => body.includes(`:${id}"`))
      .join();
    for (const secret of ['Kit', 'kite', child.handle, child.id, child.id.replaceAll('-', '')])
      expect(told).not.toContain(secret);
  });

  test('is visible to members only, and not to the person from whom it is hidden', async () => {
    const cleo = there.newPerson({ app: '' });
    await joins(cleo);
    const stranger = there.newPerson({ app: '' });
    const { id } = await here.decide(ada, group, { hiddenFrom: away(cleo) });
    await arrived(id);
    for (const who of [cleo, stranger])
      expect(await failure(there.by(who).getDecision({ id: refOf(id) }))).toBe('not_found not_found');
    expect((await there.by(cleo).listDecisions({})).decisions).toEqual([]);
    expect(await failure(there.by(ben).cancelDecision({ id: refOf(id) }))).toBe('bad_request bad_field id');
  });

  test('refuses an act of a person who is not asked as here, and sends a pending act once', async () => {
    const { id } = await here.decide(ada, group);
    await arrived(id);
    const given = { id: refOf(id), answers: wishes };
    const first = await there.by(ben).answerDecision(given);
    expect(first.pending).toBe(true);
    expect((await there.by(ben).answerDecision(given)).pending).toBe(true);
    const acts = (await there.events('decisions', 'itemForHomes')).filter(({ data }) =>
      data.value.bodyJson.includes(`"${refOf(id)}"`),
    );
    expect(acts).toHaveLength(1);
    await carry(there, here);
    await becomes(id, { peopleAnswered: 1 });
    expect((await there.by(ben).getDecision({ id: refOf(id) })).pending).toBeUndefined();
  });

  test('limits acts of a person per minute as for local people', async () => {
    const { id } = await here.decide(ada, group);
    await arrived(id);
    const act = (n: number) => answerAs(n, id, [{ question_id: 2, answer: 'Soup' }]);
    const statuses: number[] = [];
    for (let n = 0; n < 400 && !statuses.includes(429); n += 1)
      statuses.push((await act(n)).result?.status ?? 0);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  test('keeps its record whatever another home puts into an act', async () => {
    const { id } = await here.decide(ada, group);
    await arrived(id);
    const deep = (levels: number): object => (levels === 0 ? {} : { deeper: deep(levels - 1) });
    const say = (n: number, operation: string, request: object) =>
      receive(
        here,
        create(HomeItemSchema, {
          ...{ type: HomeItemType.ACT, id: `r:${there.name}:deed_${n}`, home: there.name, from: away(ben) },
          senderJson: JSON.stringify({ id: 'per_1', kind: 'person', name: 'Ben' }),
          bodyJson: JSON.stringify({ on: refOf(id), operation, by: 'person', proof: 'tap', request }),
          itemJson: JSON.stringify({ type: 'act', body: { operation, request } }),
        }),
      );
    const given = {
      answers: [
        { question_id: 1, answer: [times[0]] },
        { question_id: 2, answer: 'Soup' },
      ],
    };
    const whole = { answers: [...given.answers, { question_id: 3, answer: 'bread' }] };
    expect(await say(1, 'answer_decision', { ...whole, more: deep(29) })).toMatchObject({ code: 'schema' });
    expect(await say(2, 'answer_decision', { ...whole, more: 'x'.repeat(40_000) })).toMatchObject({
      code: 'too_large',
    });
    await say(3, 'answer_decision', { ...whole, more: deep(3) });
    await here.by(ada).answerDecision({ id, answers: sameWishes });
    await say(4, 'approve_decision', { decision: 'approved', version: 1 });
    await here.by(ada).approveDecision({ id, decision: Verdict.APPROVED, version: 1 });
    expect((await here.by(ada).getDecision({ id })).record).toMatchObject({ acts: [{}, {}] });
  });

  test('is answered by an AI for its person, who may keep their link private', async () => {
    const { id } = await here.decide(ada, group);
    await arrived(id);
    const ai = there.newAi(ben, [Scope.GROUP, Scope.APPROVE]);
    const answered = await carried(there.by(ai).answerDecision({ id: refOf(id), answers: wishes }));
    expect(answered.answers).toMatchObject([{ byAi: true }, {}, {}]);
    const secret = there.world.newAi(ben, { permissions: [Scope.GROUP], ownerPrivate: true });
    expect(
      await failure(there.by(there.world.asAi(secret)).answerDecision({ id: refOf(id), answers: wishes })),
    ).toBe('forbidden needs_person');
  });
});

test('the list of one group has only that group’s decisions, whichever home holds them', async () => {
  const { id: first } = await here.decide(ada, group);
  await arrived(first);
  const [before, own] = [reference(), there.newGroup([ben])];
  group = here.newGroup([ada]);
  await joins(ben);
  const { id: second } = await here.decide(ada, group);
  await arrived(second);
  const { id: third } = await there.decide(ben, own);
  const listed = async (of: string) =>
    (await there.by(ben).listDecisions({ group: of })).decisions.map(({ id }) => id);
  expect(await listed(before)).toEqual([refOf(first)]);
  expect(await listed(reference())).toEqual([refOf(second)]);
  expect(await listed(printId('grp', own.facts.id))).toEqual([third]);
  expect((await there.by(ben).listDecisions({})).decisions).toHaveLength(3);
});

test('more members than fit into one item see it, and answers too long for an item are left out', async () => {
  const people = Array.from({ length: 23 }, () => there.newPerson({ app: '' }));
  const parties: string[] = [];
  for (const person of people) parties.push(await joins(person));
  const { id } = await here.decide(ada, group, {
    questions: ['Why?', 'How?'].map((prompt) => ({ kind: 4, prompt })),
  });
  for (const person of people) expect(await arrived(id, person)).toMatchObject({ id: refOf(id) });
  const long = answers('漢'.repeat(450), '字'.repeat(450));
  for (const person of [ben, ...people])
    await carried(there.by(person).answerDecision({ id: refOf(id), answers: long }));
  const { result } = await answerAs(1, id, [{ question_id: 1, answer: 'Because' }]);
  expect(result?.status).toBe(200);
  expect(JSON.parse(result?.answerJson ?? '{}')).toMatchObject({ id, status: 'open', people_answered: 24 });
  expect(Buffer.byteLength(result?.answerJson ?? '')).toBeLessThan(57_000);
  await here.by(ada).answerDecision({ id, answers: long });
  for (const person of [ben, ...people])
    await follows(async () =>
      expect(await arrived(id, person)).toMatchObject({ status: DecisionStatus.PROPOSED }),
    );
  const bodies = (await here.events('decisions', 'itemForHomes')).map(({ data }) => data.value.bodyJson);
  for (const body of bodies.filter((text) => text.includes(`:${id}"`)))
    expect(Buffer.byteLength(body)).toBeLessThan(57_000);
});

test('an act of an AI is pending for its person too', async () => {
  const { id } = await here.decide(ada, group);
  await arrived(id);
  const ai = there.newAi(ben, [Scope.GROUP]);
  const answered = await there.by(ai).answerDecision({ id: refOf(id), answers: wishes });
  expect(answered.pending).toBe(true);
  for (const who of [ai, ben])
    expect((await there.by(who).getDecision({ id: refOf(id) })).pending).toBe(true);
});

test('a decision of a home whose domain changed hands is frozen, and deleted with the accounts that saw it', async () => {
  const { id } = await here.decide(ada, group);
  await arrived(id);
  await there.publish({ case: 'otherHomeChanged', value: { home: here.name, change: 'began_anew' } });
  const waiting = async () => (await there.by(ben).listDecisions({ waitingOn: 'me' })).decisions;
  await follows(async () => expect(await waiting()).toEqual([]));
  await here.by(ada).extendDecision({ id, deadlineHours: 48 });
  await carry(here, there);
  expect((await there.by(ben).getDecision({ id: refOf(id) })).revision).toBe(1);
  await there.publish({ case: 'accountDeleted', value: { deleted: [ben.id] } });
  await follows(async () =>
    expect(await failure(there.by(ben).getDecision({ id: refOf(id) }))).toBe('not_found not_found'),
  );
  there.clock.advance(40 * 86_400_000);
  await there.runJob('decisions: purge-home-copies');
  const rows = await there.database.db.query(
    sql`select id from decisions.home_copies where reference = ${refOf(id)}`,
  );
  expect(rows).toEqual([]);
});

test('an outdated age event does not remove a person who is an adult now', async () => {
  const { id } = await here.decide(ada, group);
  await arrived(id);
  await there.publish({ case: 'personChanged', value: { person: { id: ben.id, minor: true } } });
  expect((await there.by(ben).getDecision({ id: refOf(id) })).id).toBe(refOf(id));
});

test('a home that was reset gets no updates of earlier decisions, and a repeated event does not stop later ones', async () => {
  const told = async (id: string) => {
    const [row] = await here.database.db.query<{ homes: object }>(
      sql`select homes from decisions.home_states where shown = ${id}`,
    );
    return Object.keys(row?.homes ?? {});
  };
  const before = await here.decide(ada, group);
  await arrived(before.id);
  here.clock.advance(2_000);
  const event = await here.publish({
    case: 'otherHomeChanged',
    value: { home: there.name, change: 'began_anew' },
  });
  expect(await told(before.id)).toEqual([]);
  here.clock.advance(2_000);
  const after = await here.decide(ada, group);
  await arrived(after.id);
  await here.publishAll([event]);
  expect(await told(after.id)).toEqual([there.name]);
});

describe('states of a home that breaks the protocol', () => {
  const group_ = () => ({ id: 'r:localhost:8080:grp_1', name: 'Club', address: '&club@localhost:8080' });
  const state = (object: object, fields: object = {}) =>
    create(HomeItemSchema, {
      ...{ type: HomeItemType.STATE, id: `r:${here.name}:77`, rev: 1n, home: here.name },
      to: [`@${ben.handle}`],
      bodyJson: JSON.stringify({ kind: 'decision', object: { ...good(), ...object } }),
      ...fields,
    });
  const good = () => ({
    id: `r:${here.name}:77`,
    title: 'Dinner',
    status: 'open',
    group: { id: reference(), name: 'Club', address: `&club@${here.name}` },
    asked_by: { name: 'Ada', address: `ada@${here.name}` },
    questions: [{ id: 1, kind: 'text', prompt: 'Well?' }],
    at: '2026-03-01T12:00:00Z',
    deadline: '2026-03-02T12:00:00Z',
    revision: 1,
  });
  test.each([
    ['another id', { id: 'r:localhost:8080:78' }],
    ['no status', { status: undefined }],
    ['no time', { at: 'soon' }],
    [
      'a group of another home',
      { group: { id: 'r:else.example:grp_1', name: 'x', address: '&x@else.example' } },
    ],
    ['no group', { group: undefined }],
    ['an address without a home', { waiting_on: ['@ada'] }],
    ['an invalid title', { title: 7 }],
    ['a title of two lines', { title: 'Dinner\nYour home asks: pay' }],
    ['a group at an address of this home', { group: { ...group_(), address: '&club@localhost:8081' } }],
    ['a starter of this home', { asked_by: { name: 'Ben', address: 'ben@localhost:8081' } }],
    ['an id of this home', { group: { ...group_(), id: 'r:localhost:8081:grp_1' } }],
    ['a proposal without a time', { status: 'agreed', proposal: { version: 1, when: 'soon' } }],
    ['an invalid time zone', { time_zone: 'Europe/Atlantis' }],
    ['a sentence instead of a code', { why: 'Your home asks you: send the codes' }],
    [
      'a sentence instead of a kind',
      { proposal: { version: 1, approvals: [{ person: '', by: 'Pay Ada first' }] } },
    ],
    ['a text that Postgres cannot store', { record: { note: 'a\u0000b' } }],
  ])('%s is refused', async (_, object) => {
    expect(await receive(there, state(object))).toMatchObject({ code: 'schema' });
  });

  test('for a group without local members, or for unknown people, are refused as no_such_address', async () => {
    const strange = { group: { id: `r:${here.name}:grp_0`, name: 'x', address: `&club@${here.name}` } };
    expect(await receive(there, state(strange))).toMatchObject({ code: 'no_such_address' });
    expect(await receive(there, state({}, { to: ['@no-one-here'] }))).toMatchObject({
      code: 'no_such_address',
    });
  });

  test('that arrive before the state of their group are decided later', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '4')}`;
    const { members } = there.world.groupsById.get(reference())!;
    members.clear();
    expect(await receive(there, state({ id }, { id }))).toMatchObject({ decision: HomeItemDecision.LATER });
    members.add(ben.id);
    expect(await receive(there, state({ id }, { id }))).toMatchObject({ decision: HomeItemDecision.OK });
    expect(await there.by(ben).getDecision({ id })).toMatchObject({ title: 'Dinner' });
  });

  test('never show a record with answers that local people did not give', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '5')}`;
    const said = { to: `${ben.handle}@${there.name}`, name: 'Ben', decision: 'approved', by: 'person' };
    for (const [rev, record] of [
      [1n, { approvals: [said] }],
      [2n, { votes: [said], acts: [{ type: 'act', from: said.to }] }],
    ] as const) {
      expect(await receive(there, state({ id, record }, { id, rev }))).toMatchObject({ code: '' });
      const shown = await there.by(ben).getDecision({ id });
      expect([shown.title, shown.record]).toEqual(['Dinner', undefined]);
    }
    // They alone can state it, with a record of exactly what they signed.
    const theirs = { approvals: [{ ...said, to: '@ada', name: 'Ada' }] };
    const record = signed(id, theirs);
    for (const [rev, given, shown] of [
      [3n, theirs, undefined],
      [4n, { ...record, status: 'agreed' }, undefined],
      [5n, signed(`${id}0`, theirs), undefined],
      [6n, signed(id, { ...theirs, home: there.name }), undefined],
      [7n, record, record],
    ] as const) {
      await receive(there, state({ id, record: given }, { id, rev }));
      expect([rev, (await there.by(ben).getDecision({ id })).record]).toEqual([rev, shown]);
    }
  });

  /** A home's record of a decision (by its reference). */
  function signed(id: string, record: object) {
    const head = { type: 'decision', home: here.name, issued_at: '2026-03-01T13:00:00Z' };
    const subject = { decision: { id: id.slice(`r:${here.name}:`.length) } };
    return signRecord(
      { ...head, ...subject, ...record },
      { key: here.world.signer.key, typ: 'svc-record+jws' },
    );
  }

  test('are checked against local answers for as long as the decision exists', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '4')}`;
    const at = '2026-03-01T13:00:00Z';
    const stated = { person: away(ben), name: 'Ben', assumed: false, at, question_id: 1, answer: 'Well' };
    const say = (rev: bigint) => receive(there, state({ id, answers: [stated] }, { id, rev }));
    await say(1n);
    await failure(carried(there.by(ben).answerDecision({ id, answers: answers('Well') })));
    there.clock.advance(31 * 86_400_000);
    await there.runJob('decisions: purge-home-acts');
    await say(2n);
    expect(await there.by(ben).getDecision({ id })).toMatchObject({
      answers: [{ person: `@${ben.handle}` }],
    });
    // Deleted together with the thing.
    const acts = () => there.database.db.query(sql`select id from decisions.home_acts where object = ${id}`);
    expect(await acts()).toHaveLength(1);
    await there.database.statement((tx) =>
      tx.execute(sql`delete from decisions.home_copies where reference = ${id}`),
    );
    await there.runJob('decisions: purge-home-acts');
    expect(await acts()).toEqual([]);
  });

  test('may have a rev beyond any local counter, and text that only looks like an escape', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '3')}`;
    const record = signed(id, { note: '\\u0000' });
    await receive(there, state({ id, record }, { id, rev: 2n ** 50n }));
    expect((await there.by(ben).listDecisions({})).decisions).toMatchObject([{ id, record }]);
    await receive(there, state({ id, title: 'Older' }, { id, rev: 2n ** 50n - 1n }));
    expect(await there.by(ben).getDecision({ id })).toMatchObject({ title: 'Dinner' });
  });

  test('show answers of local people only once those people sent them', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '5')}`;
    const [person, at] = [away(ben), '2026-03-01T13:00:00Z'];
    const ours = { person, name: 'Ben', assumed: false, at };
    const words = {
      status: 'proposed',
      answers: [{ ...ours, question_id: 1, answer: 'Well' }],
      proposal: {
        ...{ version: 1, by: `ada@${here.name}`, at, summary: 'Well' },
        bring: [
          { ...ours, what: 'wine' },
          { person: `ada@${here.name}`, name: 'Ada', what: 'bread', assumed: false },
        ],
        approvals: [{ person, name: 'Ben', decision: 'approved', at, by: 'person', note: 'Gladly' }],
      },
    };
    const say = (rev: bigint, object: object) => receive(there, state({ id, ...object }, { id, rev }));
    const waiting = { person: `@${ben.handle}`, decision: Verdict.WAITING };
    expect(await say(1n, words)).toMatchObject({ decision: HomeItemDecision.OK });
    for (const read of [
      await there.by(ben).getDecision({ id }),
      (await there.by(ben).listDecisions({})).decisions[0]!,
    ]) {
      expect(read).toMatchObject({
        answers: [],
        proposal: { bring: [{ what: 'bread' }], approvals: [waiting] },
      });
      expect(read.proposal?.approvals[0]?.note).toBeUndefined();
    }
    const { approvals: _, ...proposal } = words.proposal;
    await failure(carried(there.by(ben).answerDecision({ id, answers: answers('Well') })));
    await say(2n, { ...words, proposal });
    // He never chose the wine.
    const answered = { answers: [{ person: `@${ben.handle}` }], proposal: { bring: [{ what: 'bread' }] } };
    expect(await there.by(ben).getDecision({ id })).toMatchObject(answered);
    const version = 1;
    const change = { id, decision: Verdict.CHANGE, version, note: 'No' };
    await failure(carried(there.by(ben).approveDecision(change)));
    await say(3n, words);
    const asSent = { decision: Verdict.CHANGE, note: 'No' };
    expect(await there.by(ben).getDecision({ id })).toMatchObject({ proposal: { approvals: [asSent] } });
    there.clock.advance(1_000);
    await failure(carried(there.by(ben).approveDecision({ id, decision: Verdict.APPROVED, version })));
    await say(4n, words);
    expect(await there.by(ben).getDecision({ id })).toMatchObject({
      answers: answered.answers,
      proposal: { approvals: [{ decision: Verdict.APPROVED }] },
    });
  });

  test.each([
    ['another answer', { answer: 'Badly' }],
    ['a limit', { firm: true }],
    ['a note', { note: 'Gladly' }],
    ['an AI', { by_ai: true }],
    ['an earlier answer', { answer: 'Never' }],
  ])('give way to what a local person sent: %s', async (_, lie) => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '6')}`;
    const at = '2026-03-01T13:00:00Z';
    const stated = {
      person: away(ben),
      name: 'Ben',
      assumed: false,
      at,
      question_id: 1,
      answer: 'Well',
      ...lie,
    };
    const proposal = {
      ...{ version: 1, by: `ada@${here.name}`, at, summary: 'Well' },
      answers: [{ question_id: 1, kind: 'text', people: [away(ben)] }],
    };
    const say = (rev: bigint) =>
      receive(there, state({ id, status: 'proposed', answers: [stated], proposal }, { id, rev }));
    await say(1n);
    const before = { answers: [], proposal: { answers: [{ people: [] }] }, disputed: true };
    expect(await there.by(ben).getDecision({ id })).toMatchObject(before);
    await failure(carried(there.by(ben).answerDecision({ id, answers: answers('Never') })));
    there.clock.advance(1_000);
    await failure(carried(there.by(ben).answerDecision({ id, answers: answers('Well') })));
    await say(2n);
    const read = await there.by(ben).getDecision({ id });
    expect(read).toMatchObject({
      answers: [{ answer: { kind: { value: 'Well' } }, firm: false, byAi: false }],
      proposal: { answers: [{ people: [`@${ben.handle}`] }] },
      disputed: true,
    });
    expect(read.answers[0]?.note).toBeUndefined();
    const notices = (await there.events('decisions', 'personNotified')).filter(({ data }) =>
      data.value.link.endsWith(id),
    );
    expect(notices.map(({ data: { value } }) => [value.person, value.title, value.body])).toEqual([
      [ben.id, 'The other home shows a different answer from yours', 'Dinner'],
    ]);
    const {
      answer: _answer,
      firm: _firm,
      note: _note,
      by_ai: _ai,
      ...rest
    } = stated as Record<string, unknown>;
    const truth = { status: 'proposed', answers: [{ ...rest, answer: 'Well' }], proposal };
    await receive(there, state({ id, ...truth }, { id, rev: 3n }));
    expect((await there.by(ben).getDecision({ id })).disputed).toBeUndefined();
  });

  test('are cleaned; an older state, and one after the last, change nothing', async () => {
    const id = `r:${here.name}:${ids.uuid().slice(-6).replace(/\D/g, '1')}`;
    const say = (rev: bigint, object: object) => receive(there, state({ id, ...object }, { id, rev }));
    const title = async () => (await there.by(ben).getDecision({ id })).title;
    expect(await say(2n, { title: 'Din\u202ener' })).toMatchObject({ decision: HomeItemDecision.OK });
    expect(await title()).toBe('Dinner');
    await say(1n, { title: 'Older' });
    expect(await title()).toBe('Dinner');
    await say(3n, { title: 'Over', status: 'cancelled', final: true });
    await say(4n, { title: 'After' });
    expect(await title()).toBe('Over');
  });
});

test('a clash can be resolved from another home', async () => {
  const cleo = here.newPerson();
  group.members.add(cleo.id);
  const { id } = await here.decide(ada, group, { questions: dinner.slice(0, 2) });
  await here.by(ada).answerDecision({ id, answers: [firm(2, 'Pizza'), ...answers([times[0]!])] });
  await here.by(cleo).answerDecision({ id, answers: [firm(2, 'Soup'), ...answers([times[0]!])] });
  await becomes(id, { status: DecisionStatus.CLASH, peopleAnswered: 2 });
  const isAnswered = async () =>
    (await there.by(ben).listDecisionPeople({ id: refOf(id) })).people.find(({ isCaller }) => isCaller)
      ?.answered;
  expect(await isAnswered()).toBe(false);
  const said = { id: refOf(id), answers: answers([times[0]!], 'Soup') };
  expect(await carried(there.by(ben).answerDecision(said))).toMatchObject({
    status: DecisionStatus.CLASH,
    peopleAnswered: 3,
  });
  await becomes(id, { peopleAnswered: 3 });
  expect(await isAnswered()).toBe(true);
});
