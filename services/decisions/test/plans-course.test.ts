import { readFileSync } from 'node:fs';
import { toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { ListPlansResponseSchema, PlanStatus, StanceKind } from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { asApp, failure, ids } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { perId, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, SETTLED, CANCELLED } = PlanStatus;
const { WORKS, DOESNT_WORK, APPROVE } = StanceKind;
const hour = 3_600_000;

let ada: PersonFacts;
let ben: PersonFacts;
let group: ReturnType<typeof home.newGroup>;
beforeEach(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  group = home.newGroup([ada, ben]);
});

/** Stances on the options 1, 2, ...; undefined omits one. */
const words = (...kinds: (StanceKind | undefined)[]) =>
  kinds.flatMap((stance, index) => (stance === undefined ? [] : [{ option: index + 1, stance }]));
const say = (who: Parameters<typeof home.plansBy>[0], id: string, ...kinds: (StanceKind | undefined)[]) =>
  home.plansBy(who).takeStance({ id, stances: words(...kinds) });

/** The stages of a plan and the people notified at each. */
async function told(id: string) {
  const events = await home.events('decisions', 'planChanged');
  return events
    .filter(({ data: { value } }) => `pln_${value.plan?.id.replaceAll('-', '')}` === id)
    .map(({ data: { value } }) => [value.what, value.needs.map(({ person }) => person)]);
}

describe('from options to a settled plan', () => {
  test('an option that works for all is put to approval, approved and settled', async () => {
    const ai = home.newAi(ben);
    const plan = await home.propose(home.newAi(ada), group, { details: 'With notes', where: 'Town house' });
    expect(plan).toMatchObject({
      status: OPEN,
      timeZone: 'Europe/Zurich',
      waitingOn: [perId(ada), perId(ben)],
      people: [{ id: perId(ada) }, { id: perId(ben) }],
      options: [
        {
          id: 1,
          startsAt: timestampFromDate(new Date('2027-05-03T16:00:00Z')),
          endsAt: timestampFromDate(new Date('2027-05-03T18:00:00Z')),
        },
        { id: 2, label: 'Late', endsAt: timestampFromDate(new Date('2027-05-04T17:00:00Z')) },
        { id: 3, date: '2027-05-05' },
      ],
    });
    const { id } = plan;
    await say(ai, id, WORKS, DOESNT_WORK, WORKS);
    const works = await say(ada, id, APPROVE, WORKS, DOESNT_WORK);
    expect(works).toMatchObject({ status: OPEN, waitingOn: [perId(ben)] });
    expect(works.options[0]?.stances).toMatchObject([
      { person: perId(ada), handle: ada.handle, stance: APPROVE },
      { person: perId(ben), stance: WORKS, by: ai.address },
    ]);
    expect(works.options[0]?.stances[0]?.by).toBeUndefined();
    const settled = await home.plansBy(ben).takeStance({ id, stances: words(APPROVE), replace: false });
    expect(settled).toMatchObject({
      status: SETTLED,
      settledOption: 1,
      waitingOn: [],
      record: {
        type: 'plan.outcome',
        status: 'settled',
        subject: { kind: 'plan', id },
        outcome: { option: 1, starts_at: '2027-05-03T16:00:00Z', where: 'Town house' },
      },
    });
    // Their stances on the other options stayed.
    expect(settled.options[2]?.stances).toHaveLength(2);
    const { text } = await home.plansBy(ada).getPlanIcs({ id });
    expect(text).toContain('DTSTART:20270503T160000Z');
    expect(await told(id)).toEqual([
      ['proposed', [ada.id, ben.id]],
      ['approve', [ben.id]],
    ]);
    const [outcome] = await home.events('decisions', 'planSettled');
    expect(outcome?.data.value).toMatchObject({
      summary: 'Mon, 3 May 2027, 18:00; Town house',
      when: '2027-05-03T16:00:00Z',
      details: 'With notes',
      by: { id: ada.id },
    });
    expect(await failure(say(ada, id, DOESNT_WORK))).toBe('bad_request already_settled');
  });

  test('the latest stance counts, and the history is kept', async () => {
    const { id } = await home.propose(ada, group);
    // Repeated stances are stored once.
    for (let again = 0; again < 2; again += 1) await say(ada, id, WORKS, WORKS, WORKS);
    const after = await say(ada, id, DOESNT_WORK);
    expect(after.options.map(({ stances }) => stances.map(({ stance }) => stance))).toEqual([
      [DOESNT_WORK],
      [],
      [],
    ]);
    const rows = await home.database.db.query<{ stances: unknown[] }>({
      text: 'select stances from decisions.stances where person = $1 order by id',
      values: [ada.id],
    });
    expect(rows.map(({ stances }) => stances.length)).toEqual([3, 1]);
  });

  test('without an option that works for all, people choose, and the most chosen one is settled', async () => {
    const cleo = home.newPerson();
    group.members.add(cleo.id);
    const { id } = await home.propose(ada, group);
    await say(ada, id, WORKS, DOESNT_WORK, WORKS);
    await say(ben, id, DOESNT_WORK, WORKS, WORKS);
    const clash = await say(home.newAi(cleo), id, WORKS, WORKS, DOESNT_WORK);
    expect(clash.clashAt).toBeDefined();
    expect(await failure(say(ada, id, WORKS))).toBe('bad_request not_waiting');
    const choose = (who: PersonFacts, option: number) => home.plansBy(who).chooseOption({ id, option });
    expect(await choose(ada, 1)).toMatchObject({ status: OPEN, waitingOn: [perId(ben), perId(cleo)] });
    await choose(ben, 2);
    // A choice can be changed until the plan is settled.
    const last = await choose(cleo, 3);
    expect(last.options.map(({ chosen }) => chosen)).toEqual([1, 1, 1]);
    expect(await choose(cleo, 2)).toMatchObject({ status: SETTLED, settledOption: 2 });
    expect(await told(id)).toEqual([
      ['proposed', [ada.id, ben.id, cleo.id]],
      ['clash', [ada.id, ben.id, cleo.id]],
      ['settle', [ada.id]],
    ]);
  });

  test('an added option is asked about alone, and ends the choosing', async () => {
    const { id } = await home.propose(ben, group, { options: [{ date: '2027-05-03' }] });
    await say(ada, id, DOESNT_WORK);
    await say(ben, id, WORKS);
    const added = await home.plansBy(ben).addOption({ id, date: '2027-05-06' });
    expect([added.clashAt, added.waitingOn]).toEqual([undefined, [perId(ada), perId(ben)]]);
    expect(added.options.map(({ stances }) => stances.length)).toEqual([2, 0]);
    for (const person of [ada, ben])
      await home
        .plansBy(person)
        .takeStance({ id, stances: [{ option: 2, stance: APPROVE }], replace: false });
    expect(await home.plansBy(ada).getPlan({ id })).toMatchObject({ status: SETTLED, settledOption: 2 });
  });

  test('at the deadline organizers are asked once to settle an option that nobody refuses', async () => {
    const { id } = await home.propose(ben, group, { deadlineHours: 1 });
    await say(ben, id, WORKS, WORKS, WORKS);
    home.clock.advance(hour);
    for (let run = 0; run < 2; run += 1) await home.runJob('decisions: advance-plans');
    expect((await told(id)).slice(1)).toEqual([['settle', [ada.id]]]);
    expect((await home.plansBy(ada).listPlans({ waitingOn: 'me' })).plans.map((plan) => plan.id)).toContain(
      id,
    );
    const settled = await home.plansBy(ada).settlePlan({ id, option: 3 });
    expect(settled).toMatchObject({
      status: SETTLED,
      settledOption: 3,
      record: { outcome: { date: '2027-05-05' } },
    });
  });

  test('at the deadline people choose when each option was refused', async () => {
    const { id } = await home.propose(ben, group, { deadlineHours: 1 });
    await say(ben, id, DOESNT_WORK, DOESNT_WORK, DOESNT_WORK);
    home.clock.advance(hour);
    expect((await home.plansBy(ada).getPlan({ id })).clashAt).toBeDefined();
  });

  test('it ends with its last option', async () => {
    const starts = new Date(home.clock.now() + hour).toISOString();
    const { id } = await home.propose(ben, group, { options: [{ startsAt: starts }] });
    home.clock.advance(2 * hour);
    await home.runJob('decisions: advance-plans');
    expect(await home.plansBy(ada).getPlan({ id })).toMatchObject({ status: CANCELLED, why: 'past' });
    expect((await told(id)).at(-1)).toEqual(['cancelled', [ada.id, ben.id]]);
  });

  test('its organizer extends and cancels it, with a reason', async () => {
    const { id, deadline } = await home.propose(ben, group);
    const extended = await home.plansBy(ada).extendPlan({ id, deadlineHours: 100 });
    expect(extended.deadline!.seconds).toBeGreaterThan(deadline!.seconds);
    for (let times = 0; times < 2; times += 1)
      expect(await home.plansBy(ada).cancelPlan({ id, reason: 'Ill' })).toMatchObject({
        status: CANCELLED,
        why: 'cancelled',
        reason: 'Ill',
      });
    // A reason given later has no effect.
    await home.plansBy(ada).cancelPlan({ id, reason: 'Snow' });
    expect((await home.plansBy(ben).getPlan({ id })).reason).toBe('Ill');
    const [last] = (await home.events('decisions', 'planChanged')).slice(-1);
    expect(last?.data.value).toMatchObject({ what: 'cancelled', note: 'Ill' });
  });

  test('an app links its own item to a settled plan', async () => {
    const { id } = await home.propose(ben, group);
    const app = home.by(asApp(home.app));
    const link = { kind: 'plan', id, itemRef: 'event-7' };
    expect(await failure(app.linkOutcome(link))).toBe('bad_request bad_field id');
    await home.plansBy(ben).settlePlan({ id, option: 1 });
    expect(await failure(app.linkOutcome({ ...link, listRef: 'list' }))).toBe(
      'bad_request bad_field list_ref',
    );
    expect(await app.linkOutcome(link)).toMatchObject({ id, outcome: { itemRef: 'event-7' } });
    expect((await home.plansBy(asApp(home.app)).getPlan({ id })).outcome).toMatchObject({
      itemRef: 'event-7',
    });
    expect((await home.plansBy(home.newAi(ada)).getPlan({ id })).outcome).toBeUndefined();
  });

  test('only an app that is told of the outcome for one of its people may link it', async () => {
    const app = asApp(ids.uuid());
    const held = home.newPerson({ app: app.id });
    const shared = home.newGroup([ada, ben, held]);
    const { id } = await home.propose(ada, shared);
    await home.plansBy(ada).settlePlan({ id, option: 1 });
    const hidden = await home.propose(ada, shared, { hiddenFrom: `@${held.handle}` });
    await home.plansBy(ada).settlePlan({ id: hidden.id, option: 1 });
    const link = (who: Caller, plan: string) =>
      home.by(who).linkOutcome({ kind: 'plan', id: plan, itemRef: 'event-8' });
    expect(await link(app, id)).toMatchObject({ id, outcome: { itemRef: 'event-8' } });
    expect((await home.plansBy(held).getPlan({ id })).outcome).toMatchObject({ itemRef: 'event-8' });
    for (const [who, plan] of [
      [asApp(ids.uuid()), id],
      [app, hidden.id],
      [app, 'pln_none'],
    ] as const)
      expect(await failure(link(who, plan))).toBe('not_found not_found');
    expect(await failure(home.plansBy(app).settlePlan({ id, option: 2 }))).toBe(
      'bad_request bad_field Svc-Acting-For',
    );
    const { id: number } = await home.decide(ada, shared);
    const linked = (who: Caller) =>
      failure(home.by(who).linkOutcome({ kind: 'decision', id: number, itemRef: 'event-9' }));
    // It gets the agreed one; this one is open.
    expect([await linked(app), await linked(asApp(ids.uuid()))]).toEqual([
      'bad_request bad_field id',
      'not_found not_found',
    ]);
  });

  test('an AI approves only with the permission for it, and settles for its person', async () => {
    const { id } = await home.propose(ada, home.newGroup([ada]));
    expect(await failure(say(home.newAi(ada), id, APPROVE))).toBe('forbidden needs_person');
    const able = home.newAi(ada, [Scope.READ, Scope.GROUP, Scope.APPROVE]);
    expect(await say(able, id, undefined, APPROVE)).toMatchObject({ status: SETTLED, settledOption: 2 });
  });
});

test('a legacy plan with unreadable times is shown with its group', async () => {
  const { id } = await home.propose(ada, group);
  const before = [
    { id: 1, label: '', starts: '9999-12-31T23:30:00Z', ends: '+010000-01-01T00:30:00Z' },
    { id: 2, label: '', starts: '+275760-09-12T00:00:00Z', ends: '+275760-09-13T00:00:00Z' },
    { id: 3, label: 'Day', starts: '9999-12-31', ends: null },
    { id: 4, label: '', starts: '2027-05-03T16:00:00Z', ends: '2027-05-03T18:00:00Z' },
  ];
  await home.run(
    sql`update decisions.plans set options = ${JSON.stringify(before)} where id = ${id.replace('pln_', '')}`,
  );
  const migration = readFileSync(
    new URL('../migrations/0006-times-that-calendars-reach.sql', import.meta.url),
    'utf8',
  );
  await home.run({ text: migration.replace('update ', 'update decisions.') });
  const page = toJson(ListPlansResponseSchema, await home.plansBy(ben).listPlans({}));
  expect(page).toMatchObject({
    plans: [
      {
        options: [
          { startsAt: '9999-12-31T23:30:00Z', endsAt: '9999-12-31T23:59:59Z' },
          { startsAt: '9999-12-31T23:59:58Z', endsAt: '9999-12-31T23:59:59Z' },
          { label: 'Day', date: '9999-12-30' },
          { startsAt: '2027-05-03T16:00:00Z', endsAt: '2027-05-03T18:00:00Z' },
        ],
      },
    ],
  });
  for (const option of [1, 3]) {
    const { id: other } = await home.propose(ada, group);
    await home.run(
      sql`update decisions.plans set options = (select options from decisions.plans where id = ${id.replace('pln_', '')})
        where id = ${other.replace('pln_', '')}`,
    );
    await home.plansBy(ada).settlePlan({ id: other, option });
    expect((await home.plansBy(ben).getPlanIcs({ id: other })).text).toContain('BEGIN:VEVENT');
  }
});
