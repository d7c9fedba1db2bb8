import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { DecisionStatus, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { PlanStatus } from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { asApp, asPerson, eventually, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { answers, dinner, instants, perId, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');

const failureOf = (error: unknown) => failure(Promise.reject(error));

/** The stages at which its people were notified. */
async function stagesOf(id: string): Promise<string[]> {
  const events = await home.events('decisions', 'decisionChanged');
  return events
    .filter(({ data: { value } }) => `${value.decision?.number}` === id)
    .map(({ data: { value } }) => value.what);
}

describe('people who join or leave', () => {
  test('a member who leaves is no longer awaited', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben]);
    const { id } = await home.decide(ada, group, { questions: two });
    await home.by(ada).answerDecision({ id, answers: all });
    group.members.delete(ben.id);
    await home.publish({
      case: 'memberLeft',
      value: { group: { id: group.facts.id }, person: { id: ben.id } },
    });
    const after = await home.by(ada).getDecision({ id });
    expect(after.status).toBe(DecisionStatus.PROPOSED);
    expect(after.peopleAsked).toBe(1);
    expect(await failure(home.by(ben).getDecision({ id }))).toBe('not_found not_found');
  });

  test('a starter who is removed loses access, also through an AI or app, and can end nothing', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ben, ada]);
    const app = home.ids.uuid();
    const through = { ...asPerson(ada), app };
    const decision = await home.decide(home.newAi(ada), group, { questions: two });
    const { id } = await home.decide(through, group, { questions: two });
    const plan = await home.propose(through, group);
    group.members.delete(ada.id);
    await home.publish({
      case: 'memberRemoved',
      value: { group: { id: group.facts.id }, person: { id: ada.id } },
    });
    await home.by(ben).answerDecision({ id, answers: all });
    for (const who of [ada, home.newAi(ada), through, asApp(app)]) {
      const unknown = await failure(home.by(who).cancelDecision({ id: '4503599627370495' }));
      for (const one of [id, decision.id]) {
        expect(await failure(home.by(who).getDecision({ id: one }))).toBe('not_found not_found');
        expect(await failure(home.by(who).cancelDecision({ id: one }))).toBe(unknown);
      }
      expect(await failure(home.plansBy(who).getPlan({ id: plan.id }))).toBe('not_found not_found');
      expect((await home.by(who).listDecisions({})).decisions).toEqual([]);
    }
    expect((await home.by(ben).getDecision({ id })).status).toBe(DecisionStatus.PROPOSED);
  });

  test('a deleted account is no longer awaited, and the others lose nothing', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, cleo]);
    const { id } = await home.decide(ada, group, { questions: two });
    for (const person of [ada, cleo]) await home.by(person).answerDecision({ id, answers: all });
    home.world.deletePerson(ben);
    group.members.delete(ben.id);
    for (let time = 0; time < 2; time += 1)
      await home.publish({ case: 'accountDeleted', value: { deleted: [ben.id], handovers: [] } });
    const after = await home.by(ada).getDecision({ id });
    expect(after).toMatchObject({
      status: DecisionStatus.PROPOSED,
      peopleAsked: 2,
      peopleAnswered: 2,
      proposal: { version: 1 },
    });
  });

  test('a deleted account is no longer named as the starter', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben]);
    const people = [ada, ben].map(perId);
    const { id } = await home.decide(ada, group, { questions: two, with: people });
    const plan = await home.propose(ada, group, { with: people });
    home.world.deletePerson(ada);
    const gone = { name: 'a deleted account', address: '@deleted' };
    expect((await home.by(ben).getDecision({ id })).askedBy).toMatchObject(gone);
    expect((await home.plansBy(ben).listPlanPeople({ id: plan.id })).proposer).toMatchObject(gone);
  });

  test('an AI without an owner is no longer named as the starter', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben]);
    const ai = home.newAi(ada);
    const { id } = await home.decide(ai, group, { questions: two });
    expect((await home.by(ben).getDecision({ id })).askedBy?.name).toBe(ai.name);
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: ai.id }, owner: ada.id } });
    const { askedBy } = await home.by(ben).getDecision({ id });
    expect(askedBy).toMatchObject({ name: ai.address, address: ai.address });

    const at = timestampFromMs(home.clock.now());
    home.clock.advance(1);
    const later = await home.decide(ai, group, { questions: two });
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: ai.id }, owner: ada.id } }, { at });
    expect((await home.by(ben).getDecision({ id: later.id })).askedBy?.name).toBe(ai.name);
  });

  test('a new guardian answers, and the former one cannot', async () => {
    const { guardian, child } = home.newFamily();
    const [ada, next] = [home.newPerson(), home.newPerson()];
    const { id } = await home.decide(ada, home.newGroup([ada, child]), { questions: two });
    home.world.changePerson(child, { guardians: [next.id] });
    expect(await failure(home.by(guardian).answerDecision({ id, answers: all }))).toBe(
      'forbidden no_permission',
    );
    await home.publish({ case: 'personChanged', value: { person: { id: child.id }, changed: ['guardian'] } });
    expect((await home.by(next).answerDecision({ id, answers: all })).peopleAnswered).toBe(1);
    expect(await failure(home.by(guardian).getDecision({ id }))).toBe('not_found not_found');
  });

  test('an archived group decides nothing', async () => {
    const ada = home.newPerson();
    const group = home.newGroup([ada, home.newPerson()]);
    const { id } = await home.decide(ada, group, { questions: two });
    const archived = {
      case: 'groupArchived',
      value: { group: { id: group.facts.id }, why: 'ended' },
    } as const;
    const { at } = await home.publish(archived);
    const after = await home.by(ada).getDecision({ id });
    expect(after.status).toBe(DecisionStatus.CANCELLED);
    expect(after.why).toBe('group_archived');
    // The event is redelivered after the group was restored.
    home.clock.advance(1);
    const [later, plan] = [
      await home.decide(ada, group, { questions: two }),
      await home.propose(ada, group, { with: [perId(ada)] }),
    ];
    await home.publish(archived, { at: at! });
    expect((await home.by(ada).getDecision({ id: later.id })).status).toBe(DecisionStatus.OPEN);
    expect((await home.plansBy(ada).getPlan({ id: plan.id })).status).toBe(PlanStatus.OPEN);
  });

  test('fifty concurrent answers are all recorded, and lead to one outcome', async () => {
    const people: PersonFacts[] = Array.from({ length: 50 }, () => home.newPerson());
    const [ada] = people as [PersonFacts];
    const { id } = await home.decide(ada, home.newGroup(people), { questions: two });
    await Promise.all(people.map((person) => home.by(person).answerDecision({ id, answers: all })));
    const after = await home.by(ada).getDecision({ id });
    expect(after).toMatchObject({
      status: DecisionStatus.PROPOSED,
      peopleAnswered: 50,
      proposal: { version: 1 },
    });
    expect(after.waitingOn).toContain(perId(ada));
  });

  test('an answer in the last millisecond counts, an answer at the deadline does not, and it closes once', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { id } = await home.decide(ada, home.newGroup([ada, ben, cleo]), {
      questions: two,
      deadlineHours: 1,
    });
    await home.by(ada).answerDecision({ id, answers: all });
    home.clock.advance(3_600_000 - 1);
    expect((await home.by(ben).answerDecision({ id, answers: all })).peopleAnswered).toBe(2);
    home.clock.advance(1);
    const [late] = await Promise.all([
      failure(home.by(cleo).answerDecision({ id, answers: all })),
      home.runJob('decisions: advance-decisions'),
      home.by(ben).getDecision({ id }),
    ]);
    expect(late).toBe('bad_request not_waiting');
    // The home's own job may have it in hand, and may already have announced that it closes soon.
    const closed = await eventually(async () => {
      const now = await home.by(ada).getDecision({ id });
      return now.status === DecisionStatus.OPEN ? undefined : now;
    });
    expect(closed).toMatchObject({ status: DecisionStatus.PROPOSED, proposal: { version: 1 } });
    expect(closed.answers.map(({ person }) => person)).not.toContain(perId(cleo));
    expect((await stagesOf(id)).filter((what) => what !== 'closing_soon')).toEqual(['started', 'proposed']);
  });

  test('a concurrent last approval and cancellation end it once', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const [ada, ben] = [home.newPerson(), home.newPerson()];
      const { id } = await home.decide(ada, home.newGroup([ada, ben]), { questions: two });
      for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
      const approval = { id, decision: Verdict.APPROVED, version: 1 };
      await home.by(ada).approveDecision(approval);
      const acts = [
        () => home.by(ben).approveDecision(approval),
        () => home.by(ada).cancelDecision({ id }),
      ].map((act) => async () => await act().then(() => 'done', failureOf));
      const turned = turn % 2 === 0 ? acts : acts.toReversed();
      const results = await Promise.all(turned.map((act) => act()));
      expect(results.toSorted()).toEqual(['bad_request already_settled', 'done']);
      const end = await home.by(ada).getDecision({ id });
      const agreed = end.status === DecisionStatus.AGREED;
      expect(agreed || end.status === DecisionStatus.CANCELLED).toBe(true);
      const outcomes = await home.events('decisions', 'decisionAgreed');
      const told = outcomes.filter(({ data: { value } }) => `${value.decision?.number}` === id).length;
      expect([told, (await stagesOf(id)).includes('cancelled')]).toEqual(agreed ? [1, false] : [0, true]);
    }
  });
});
