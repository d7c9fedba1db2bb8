import { printId } from '@hearth/ids';
import { PlanStatus, StanceKind } from '@hearth/proto/decisions/v1/plans';
import { Plans } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { asApp, failure, ids } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { perId, startDecisions, type Who } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, SETTLED, CANCELLED } = PlanStatus;
const { WORKS, DOESNT_WORK, APPROVE } = StanceKind;
const days = { options: [{ date: '2027-05-03' }, { date: '2027-05-04' }] };
const say = (who: Who, id: string, stance: StanceKind, child?: PersonFacts) =>
  home.plansBy(who).takeStance({
    id,
    stances: [1, 2].map((option) => ({ option, stance })),
    ...(child && { for: perId(child) }),
  });
const settledEvents = async (id: string) =>
  (await home.events('decisions', 'planSettled')).filter(
    ({ data: { value } }) => printId('pln', value.plan?.id ?? '') === id,
  );

let ada: PersonFacts;
let ben: PersonFacts;
beforeEach(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  home.peers.back('federation');
  home.peers.back('approvals');
});

describe('a child in a plan', () => {
  test('is represented by a guardian, who approves by their own tap', async () => {
    const { guardian, child } = home.newFamily();
    const { id } = await home.propose(ada, home.newGroup([ada, child]), days);
    expect(await failure(say(child, id, WORKS))).toBe('forbidden guardian_needed');
    const ai = home.newAi(guardian, [Scope.READ, Scope.GROUP, Scope.APPROVE]);
    const works = await say(ai, id, WORKS);
    expect(works.options[0]?.stances).toMatchObject([{ stance: WORKS, by: ai.address }]);
    expect(await failure(say(ai, id, APPROVE))).toBe('forbidden needs_person');
    await say(ada, id, APPROVE);
    const seen = await home.plansBy(home.newAi(ada)).getPlan({ id });
    const [, ofChild] = seen.options[0]!.stances;
    expect([ofChild?.handle, ofChild?.by]).toEqual([undefined, 'ai']);
    const { name } = seen.options[0]!.stances[1]!;
    expect([name, seen.people[1]?.handle]).toEqual([expect.not.stringContaining(child.name), undefined]);
    const settled = await say(guardian, id, APPROVE, child);
    expect(settled).toMatchObject({ status: SETTLED, settledOption: 1 });
    expect(JSON.stringify(settled.record)).not.toContain(child.handle);
  });

  test('cannot propose, and has no AI act when the guardian allows none', async () => {
    const { guardian, child } = home.newFamily({ aiShare: false });
    const group = home.newGroup([ada, guardian, child]);
    expect(await failure(home.propose(child, group, days))).toBe('forbidden guardian_needed');
    const { id } = await home.propose(ada, group, days);
    const after = await say(home.newAi(guardian), id, WORKS);
    expect(after.waitingOn).toEqual([perId(ada), perId(guardian)]);
  });
});

describe('people who join or leave', () => {
  test('it is settled when the last person without an approval leaves', async () => {
    const group = home.newGroup([ada, ben]);
    const { id } = await home.propose(ada, group, days);
    await say(ada, id, APPROVE);
    group.members.delete(ben.id);
    await home.publish({
      case: 'memberLeft',
      value: { group: { id: group.facts.id }, person: { id: ben.id } },
    });
    expect(await home.plansBy(ada).getPlan({ id })).toMatchObject({ status: SETTLED, settledOption: 1 });
    expect(await settledEvents(id)).toHaveLength(1);
    expect(await failure(home.plansBy(ben).getPlan({ id }))).toBe('not_found not_found');
  });

  test('it ends with its group, and with the last person who is asked', async () => {
    const group = home.newGroup([ada, ben]);
    const other = await home.propose(ada, group, { ...days, with: [perId(ben)] });
    for (const person of [ada, ben]) group.members.delete(person.id);
    for (const person of [ada, ben])
      await home.publish({
        case: 'memberLeft',
        value: { group: { id: group.facts.id }, person: { id: person.id } },
      });
    const app = home.plansBy(asApp(home.app));
    expect(await app.getPlan({ id: other.id })).toMatchObject({ status: CANCELLED, why: 'no_people' });
    const again = home.newGroup([ada]);
    const open = await home.propose(ada, again, days);
    await home.publish({ case: 'groupArchived', value: { group: { id: again.facts.id }, why: 'ended' } });
    expect(await home.plansBy(ada).getPlan({ id: open.id })).toMatchObject({
      status: CANCELLED,
      why: 'group_archived',
    });
  });
});

describe('a plan that is hidden from a person', () => {
  test('is not found by them or their AIs, whatever happens to it', async () => {
    const birthday = home.newPerson();
    const group = home.newGroup([ada, ben, birthday]);
    group.organizers.add(birthday.id);
    const ai = home.newAi(birthday);
    const { id, people } = await home.propose(ada, group, { ...days, hiddenFrom: `@${birthday.handle}` });
    expect(people).toHaveLength(2);
    const unseen = async () => {
      for (const who of [birthday, ai]) {
        const calls = home.plansBy(who);
        const refusals = (plan: string) =>
          Promise.all(
            [
              calls.getPlan({ id: plan }),
              calls.getPlanIcs({ id: plan }),
              say(who, plan, WORKS),
              calls.chooseOption({ id: plan, option: 1 }),
              calls.addOption({ id: plan, date: '2027-05-06' }),
              calls.settlePlan({ id: plan, option: 1 }),
              calls.extendPlan({ id: plan, deadlineHours: 30 }),
              calls.cancelPlan({ id: plan }),
            ].map((tried: Promise<unknown>) => failure(tried)),
          );
        const refused = await refusals(id);
        expect(refused.slice(0, 3)).toEqual(Array(3).fill('not_found not_found'));
        expect(refused).toEqual(await refusals(printId('pln', ids.uuid())));
        expect((await calls.listPlans({})).plans).toEqual([]);
        expect(await home.client.countWaiting({ person: birthday.id })).toMatchObject({ plans: 0 });
      }
    };
    await unseen();
    expect(await home.client.countWaiting({ person: ben.id })).toMatchObject({ plans: 1 });
    for (const person of [ada, ben]) await say(person, id, APPROVE);
    await unseen();
    for (const { data } of await home.events('decisions')) {
      const told = data.case === 'planChanged' || data.case === 'planSettled' ? data.value : undefined;
      if (told?.plan?.hiddenFrom !== birthday.id) continue;
      expect(JSON.stringify({ ...told, plan: undefined })).not.toContain(birthday.id);
    }
  });
});

describe('a group that approves its plans', () => {
  const asks = { settings: { plans: Plans.ASK } };
  const answer = (approval: string, status: string) =>
    home.publish({ case: 'approvalSettled', value: { approval, status, kind: 'plan' } });

  test('asks its organizers, whose yes starts the plan with its full time', async () => {
    const group = home.newGroup([ada, ben], asks);
    const request = { ...days, deadlineHours: 48, requestId: ids.uuid() };
    const asked = await home.propose(ben, group, request);
    expect(asked).toMatchObject({ approval: expect.stringMatching(/^apr_/) });
    expect(home.asked.at(-1)).toMatchObject({
      to: [ada.id],
      title: 'Rehearsal',
      details: 'Mon, 3 May 2027\nTue, 4 May 2027',
    });
    const { id } = asked;
    for (const who of [ada, ben]) {
      expect(await failure(home.plansBy(who).getPlan({ id }))).toBe('not_found not_found');
      expect((await home.plansBy(who).listPlans({})).plans).toEqual([]);
    }
    expect((await home.propose(ben, group, request)).approval).toBe(asked.approval);
    home.clock.advance(3_600_000);
    for (let times = 0; times < 2; times += 1) await answer(asked.approval!, 'approved');
    const begun = await home.plansBy(ada).getPlan({ id });
    expect(begun).toMatchObject({ status: OPEN, waitingOn: [perId(ada), perId(ben)] });
    expect(begun.approval).toBeUndefined();
    expect(Number(begun.deadline!.seconds) - home.clock.now() / 1_000).toBeCloseTo(48 * 3_600, -1);
    const told = (await home.events('decisions', 'planChanged')).filter(
      ({ data: { value } }) => printId('pln', value.plan?.id ?? '') === id,
    );
    expect(told.map(({ data: { value } }) => value.what)).toEqual(['proposed']);
  });

  test.each(['declined', 'expired'])('hides a plan that is %s', async (status) => {
    const group = home.newGroup([ada, ben], asks);
    const request = { ...days, requestId: ids.uuid() };
    const { id, approval } = await home.propose(home.newAi(ben), group, request);
    await answer(approval!, status);
    await answer(approval!, 'approved');
    expect(await failure(home.plansBy(ben).getPlan({ id }))).toBe('not_found not_found');
    expect((await home.plansBy(ada).listPlans({})).plans).toEqual([]);
  });

  test('asks later when the approvals service was away', async () => {
    const group = home.newGroup([ada, ben], asks);
    home.peers.away('approvals');
    const before = home.asked.length;
    const { approval } = await home.propose(ben, group, days);
    expect(approval).toMatch(/^apr_/);
    home.peers.back('approvals');
    home.clock.advance(6_000);
    for (let times = 0; times < 2; times += 1) await home.runJob('decisions: ask-plans');
    expect(home.asked.slice(before).map(({ id }) => printId('apr', id))).toEqual([approval]);
  });
});

describe('concurrent acts', () => {
  test('fifty stances are all recorded, and lead to one outcome', async () => {
    const people = Array.from({ length: 50 }, () => home.newPerson());
    const [first] = people as [PersonFacts];
    const { id } = await home.propose(first, home.newGroup(people), days);
    await Promise.all(people.map((person) => say(person, id, APPROVE)));
    const settled = await home.plansBy(first).getPlan({ id });
    expect(settled).toMatchObject({ status: SETTLED, settledOption: 1 });
    expect(settled.options[1]?.stances).toHaveLength(50);
    expect(await settledEvents(id)).toHaveLength(1);
  });

  test('settling, cancelling and a stance at the deadline have one outcome', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await home.propose(ada, home.newGroup([ada, ben]), { ...days, deadlineHours: 1 });
      await say(ada, id, APPROVE);
      home.clock.advance(3_600_000);
      const tries = await Promise.allSettled([
        home.plansBy(ada).settlePlan({ id, option: 2 }),
        home.plansBy(ada).cancelPlan({ id }),
        say(ben, id, APPROVE),
        home.runJob('decisions: advance-plans'),
      ]);
      const { status, settledOption, why } = await home.plansBy(ada).getPlan({ id });
      const won = status === SETTLED ? settledOption : why;
      expect([1, 2, 'cancelled']).toContain(won);
      expect(await settledEvents(id)).toHaveLength(status === SETTLED ? 1 : 0);
      expect(tries.slice(0, 3).filter((attempt) => attempt.status === 'fulfilled').length).toBeGreaterThan(0);
    }
  });

  test('a stance after the choosing began is refused, and not counted', async () => {
    const { id } = await home.propose(ada, home.newGroup([ada, ben]), { ...days, deadlineHours: 1 });
    await say(ada, id, DOESNT_WORK);
    home.clock.advance(3_600_000);
    expect(await failure(say(ben, id, WORKS))).toBe('bad_request not_waiting');
    const { options } = await home.plansBy(ada).getPlan({ id });
    expect(options[0]?.stances).toHaveLength(1);
  });
});

test('a plan settled while signing is unavailable is signed later, and announced then', async () => {
  const { id } = await home.propose(ada, home.newGroup([ada, ben]), days);
  home.peers.away('federation');
  const settled = await home.plansBy(ada).settlePlan({ id, option: 1 });
  expect([settled.status, settled.record]).toEqual([SETTLED, undefined]);
  expect(await settledEvents(id)).toEqual([]);
  home.peers.back('federation');
  home.clock.advance(6_000);
  for (let run = 0; run < 2; run += 1) await home.runJob('decisions: sign-plans');
  expect(await settledEvents(id)).toHaveLength(1);
});
