import { StanceKind } from '@hearth/proto/decisions/v1/plans';
import { Plans } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { type FakeGroup, failure } from '@hearth/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { perId, slots, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { WORKS, DOESNT_WORK } = StanceKind;
let ada: PersonFacts;
let ben: PersonFacts;
let group: FakeGroup;
beforeAll(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  group = home.newGroup([ada, ben]);
});

describe('a plan is refused', () => {
  test.each([
    ['no time', [{ label: 'x' }], 'bad_field options[0].starts_at'],
    ['a day and a time', [{ date: '2027-05-03', startsAt: '2027-05-03T10:00' }], 'bad_field options[0].date'],
    ['an invalid day', [{ date: '2027-02-30' }], 'bad_field options[0].date'],
    ['a day as a time', [{ startsAt: '2027-05-03' }], 'bad_field options[0].starts_at'],
    [
      'an end before its start',
      [{ startsAt: '2027-05-03T10:00', endsAt: '2027-05-03T09:00' }],
      'bad_field options[0].ends_at',
    ],
    [
      'a time in the past',
      [{ date: '2027-05-03' }, { startsAt: '2020-05-03T10:00' }],
      'bad_field options[1].starts_at',
    ],
    ['a day beyond what calendars support', [{ date: '9999-12-31' }], 'bad_field options[0].date'],
    [
      'a time whose end has a five-digit year',
      [{ startsAt: '9999-12-31T23:30:00Z' }],
      'bad_field options[0].starts_at',
    ],
    [
      'an end in a six-digit year',
      [{ startsAt: '2027-05-03T10:00', endsAt: '+275760-09-13T00:00:00Z' }],
      'bad_field options[0].ends_at',
    ],
    ['a day in the past', [{ date: '2020-05-03' }], 'bad_field options[0].date'],
    ['a duplicate option', [{ date: '2027-05-03' }, { date: '2027-05-03' }], 'bad_field options[1]'],
    ['a skipped time', [{ startsAt: '2027-03-28T02:30' }], 'ambiguous_time options[0].starts_at'],
    [
      'an ambiguous end',
      [{ startsAt: '2027-10-31T01:00', endsAt: '2027-10-31T02:30' }],
      'ambiguous_time options[0].ends_at',
    ],
  ])('for %s', async (_, options, expected) => {
    expect(await failure(home.propose(ada, group, { options }))).toBe(`bad_request ${expected}`);
  });

  test('without a time zone, unless all are days', async () => {
    const nowhere = home.newGroup([ada], { timeZone: '' });
    expect(await failure(home.propose(ada, nowhere))).toBe('bad_request time_zone_needed time_zone');
    expect(await failure(home.propose(ada, nowhere, { timeZone: '+02:00' }))).toBe(
      'bad_request bad_field time_zone',
    );
    const { timeZone } = await home.propose(ada, nowhere, { options: [{ date: '2027-05-03' }] });
    expect(timeZone).toBeUndefined();
  });

  test('for its group, its people and its deadline', async () => {
    const refused = (fields: object, where = group, who: Parameters<typeof home.propose>[0] = ada) =>
      failure(home.propose(who, where, fields));
    expect(await refused({ with: [perId(home.newPerson())] })).toBe('bad_request bad_field with[0]');
    expect(await refused({ hiddenFrom: 'me' })).toBe('bad_request bad_field hidden_from');
    expect(await refused({ deadlineHours: 0.001 })).toBe('bad_request bad_field deadline_hours');
    expect(await refused({}, home.newGroup([ada], { archived: true }))).toBe('bad_request archived');
    expect(await refused({}, home.newGroup([ada], { settings: { plans: Plans.NEVER } }))).toBe(
      'forbidden plans_off',
    );
    expect(await refused({}, home.newGroup([ben]))).toBe('not_found not_found');
    expect(await refused({}, group, home.newAi(ada, [Scope.READ]))).toBe('forbidden no_permission');
    const checked = home.newGroup([ada, ben], { settings: { plans: Plans.ASK } });
    expect(await refused({ hiddenFrom: perId(ada) }, checked, ben)).toBe('bad_request bad_field hidden_from');
  });

  test('for a reused request_id with another body, while an exact repeat returns the same plan', async () => {
    const request = { requestId: 'once', title: 'Once' };
    const [plan, again] = [await home.propose(ada, group, request), await home.propose(ada, group, request)];
    expect(again.id).toBe(plan.id);
    expect(await failure(home.propose(ada, group, { ...request, title: 'Twice' }))).toBe(
      'bad_request request_id_reused request_id',
    );
    const add = { id: plan.id, date: '2027-06-01', requestId: 'added' };
    for (let times = 0; times < 2; times += 1)
      expect((await home.plansBy(ada).addOption(add)).options).toHaveLength(slots.length + 1);
  });
});

describe('an act is refused', () => {
  const proposed = async () => (await home.propose(ada, group)).id;
  const say = (id: string, ...options: number[]) =>
    home.plansBy(ben).takeStance({ id, stances: options.map((option) => ({ option, stance: WORKS })) });

  test('for an unknown option, or two stances on one option', async () => {
    const id = await proposed();
    expect(await failure(say(id, 1, 4))).toBe('bad_request bad_field stances[1].option');
    expect(await failure(say(id, 1, 1))).toBe('bad_request bad_field stances[1].option');
  });

  test('by a person who is not asked, or does not run the plan', async () => {
    const { id } = await home.propose(ben, group, { with: [perId(ben)] });
    expect(await failure(home.plansBy(ada).takeStance({ id, stances: [{ option: 1, stance: WORKS }] }))).toBe(
      'forbidden no_permission',
    );
    const ofAda = await proposed();
    const calls = home.plansBy(ben);
    for (const tried of [
      calls.settlePlan({ id: ofAda, option: 1 }),
      calls.extendPlan({ id: ofAda, deadlineHours: 10 }),
      calls.addOption({ id: ofAda, date: '2027-06-01' }),
      calls.cancelPlan({ id: ofAda }),
    ])
      expect(await failure(tried)).toBe('forbidden no_permission');
  });

  test('for a choice before people choose, and a refused option without confirm_refused', async () => {
    const id = await proposed();
    expect(await failure(home.plansBy(ada).chooseOption({ id, option: 1 }))).toBe('bad_request not_waiting');
    for (const person of [ada, ben])
      await home.plansBy(person).takeStance({
        id,
        stances: [1, 2, 3].map((option) => ({ option, stance: DOESNT_WORK })),
      });
    expect(await failure(home.plansBy(ada).settlePlan({ id, option: 1 }))).toBe(
      'bad_request bad_field confirm_refused',
    );
    expect(await failure(home.plansBy(ada).settlePlan({ id, option: 9 }))).toBe(
      'bad_request bad_field option',
    );
    expect(await failure(home.plansBy(ada).extendPlan({ id, deadlineHours: 10 }))).toBe(
      'bad_request not_waiting',
    );
    const settled = await home.plansBy(ada).settlePlan({ id, option: 1, confirmRefused: true });
    expect(settled.settledOption).toBe(1);
    for (const tried of [
      () => home.plansBy(ada).settlePlan({ id, option: 1 }),
      () => home.plansBy(ada).cancelPlan({ id }),
      () => home.plansBy(ada).addOption({ id, date: '2027-06-01' }),
      () => home.plansBy(ada).chooseOption({ id, option: 1 }),
      () => say(id, 1),
    ])
      expect(await failure(tried())).toBe('bad_request already_settled');
  });

  test('for a thirteenth option, a duplicate option, and the calendar file of an unsettled plan', async () => {
    const options = Array.from({ length: 12 }, (_, index) => ({ date: `2027-06-${10 + index}` }));
    const { id } = await home.propose(ada, group, { options });
    expect(await failure(home.plansBy(ada).addOption({ id, date: '2027-07-01' }))).toBe(
      'bad_request cap_reached',
    );
    const less = await proposed();
    expect(await failure(home.plansBy(ada).addOption({ id: less, date: '2027-05-05' }))).toBe(
      'bad_request bad_field date',
    );
    expect(await failure(home.plansBy(ada).getPlanIcs({ id }))).toBe('not_found not_found');
    expect(await failure(home.plansBy(ada).getPlan({ id: `r:other.example:${id}` }))).toBe(
      'not_found not_found',
    );
  });
});
