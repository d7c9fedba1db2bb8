import { DecisionStatus, ReviewAction, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { PlanStatus, StanceKind } from '@hearth/proto/decisions/v1/plans';
import { Plans } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { type FakeGroup, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { answers, dinner, instants, perId, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { APPROVED, CHANGE } = Verdict;
const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');

/** Makes a person a member, an organizer or neither, and announces it. */
async function setRole(group: FakeGroup, person: PersonFacts, role: 'organizer' | 'member' | null) {
  const before = group.members.has(person.id);
  group.organizers.delete(person.id);
  if (role === null) group.members.delete(person.id);
  else group.members.add(person.id);
  if (role === 'organizer') group.organizers.add(person.id);
  const value = { group: { id: group.facts.id }, person: { id: person.id }, role: role ?? '' };
  if (role === null) await home.publish({ case: 'memberLeft', value });
  else await home.publish({ case: before ? 'roleChanged' : 'memberJoined', value });
}

/** The people notified of a decision since, at that stage. */
async function toldOf(id: string, what: string): Promise<string[]> {
  const events = await home.events('decisions', 'decisionChanged');
  return events
    .map(({ data: { value } }) => value)
    .filter((value) => `${value.decision?.number}` === id && value.what === what)
    .flatMap(({ needs }) => needs.map(({ person }) => person));
}

/** A decision in review: Ben asks for a change. */
async function inReview(...people: PersonFacts[]) {
  const [ada, ben] = people as [PersonFacts, PersonFacts];
  const group = home.newGroup(people);
  const { id } = await home.decide(ada, group, { questions: two, with: [ada, ben].map(perId) });
  for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
  await home.by(ben).approveDecision({ id, decision: CHANGE, version: 1, note: 'Later' });
  return { group, id };
}

describe('organizers by their current roles', () => {
  test('a member promoted later sees it, is notified, is awaited and settles it; the former organizer does nothing', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { group, id } = await inReview(ada, ben);
    await setRole(group, cleo, 'member');
    expect(await failure(home.by(cleo).getDecision({ id }))).toBe('not_found not_found');
    await setRole(group, cleo, 'organizer');
    await setRole(group, ada, 'member');
    expect((await home.by(cleo).getDecision({ id })).waitingOn).toEqual([perId(cleo)]);
    expect((await home.by(cleo).listDecisions({ waitingOn: 'me' })).decisions).toMatchObject([{ id }]);
    expect((await home.by(ada).listDecisions({ waitingOn: 'me' })).decisions).toEqual([]);
    expect(await toldOf(id, 'reminded')).toEqual([cleo.id]);
    const accept = { id, action: ReviewAction.ACCEPT };
    expect(await failure(home.by(ada).reviewDecision(accept))).toBe('forbidden no_permission');
    expect((await home.by(cleo).reviewDecision(accept)).status).toBe(DecisionStatus.AGREED);
  });

  test('a new organizer can act before the event arrives', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { group, id } = await inReview(ada, ben, cleo);
    group.organizers.add(cleo.id);
    expect((await home.by(cleo).getDecision({ id })).waitingOn).toContain(perId(cleo));
    expect((await home.by(cleo).cancelDecision({ id })).status).toBe(DecisionStatus.CANCELLED);
  });

  test('a new organizer from whom it is hidden cannot see it', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, cleo]);
    const { id } = await home.decide(ada, group, { questions: two, hiddenFrom: perId(cleo) });
    await setRole(group, cleo, 'organizer');
    expect(await failure(home.by(cleo).getDecision({ id }))).toBe('not_found not_found');
    expect(await failure(home.by(cleo).cancelDecision({ id }))).toBe('not_found not_found');
  });

  test('a proposal for organizers waits for the new one, and the former one’s approval settles nothing', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben]);
    const { id } = await home.decide(ada, group, { questions: two, needs: 3 });
    for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
    await home.by(ben).approveDecision({ id, decision: APPROVED, version: 1 });
    await setRole(group, cleo, 'organizer');
    await setRole(group, ada, 'member');
    const approval = { id, decision: APPROVED, version: 1 };
    expect((await home.by(ada).approveDecision(approval)).status).toBe(DecisionStatus.PROPOSED);
    expect((await home.by(cleo).getDecision({ id })).waitingOn).toEqual([perId(cleo)]);
    expect((await home.by(cleo).approveDecision(approval)).status).toBe(DecisionStatus.AGREED);
  });

  test('the approval of a former organizer does not count, even before the event arrives', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, cleo]);
    const { id } = await home.decide(ada, group, { questions: two, needs: 3 });
    for (const person of [ada, ben, cleo]) await home.by(person).answerDecision({ id, answers: all });
    group.organizers.add(ben.id);
    group.organizers.delete(ada.id);
    const approval = { id, decision: APPROVED, version: 1 };
    expect((await home.by(ada).approveDecision(approval)).status).toBe(DecisionStatus.PROPOSED);
    expect((await home.by(ben).approveDecision(approval)).status).toBe(DecisionStatus.AGREED);
  });

  test('a plan that organizers settle waits for the new one', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben]);
    const { id } = await home.propose(ada, group, { with: [ada, ben].map(perId) });
    await home.plansBy(ben).takeStance({ id, stances: [{ option: 1, stance: StanceKind.WORKS }] });
    home.clock.advance(49 * 3_600_000);
    await home.plansBy(ada).getPlan({ id });
    await setRole(group, cleo, 'organizer');
    await setRole(group, ada, 'member');
    const shown = await home.plansBy(cleo).getPlan({ id });
    expect(shown.waitingOn).toContain(perId(cleo));
    expect((await home.plansBy(cleo).listPlans({ waitingOn: 'me' })).plans.map((plan) => plan.id)).toContain(
      id,
    );
    expect((await home.plansBy(cleo).settlePlan({ id, option: 1 })).status).toBe(PlanStatus.SETTLED);
  });

  test('the new organizer is asked whether a plan begins', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, cleo], { settings: { plans: Plans.ASK } });
    const { approval } = await home.propose(ben, group);
    await setRole(group, cleo, 'organizer');
    await setRole(group, ada, 'member');
    const asked = home.asked.filter((request) => approval === `apr_${request.id.replaceAll('-', '')}`);
    expect(asked.at(-1)?.to).toEqual([cleo.id]);
  });

  test('the new organizer reviews an outcome on the chosen day', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { group, id } = await inReview(ada, ben);
    const day = new Date(home.clock.now() + 48 * 3_600_000).toISOString().slice(0, 10);
    await home.by(ada).reviewDecision({ id, action: ReviewAction.ACCEPT, reviewOn: day });
    await setRole(group, cleo, 'organizer');
    await setRole(group, ada, 'member');
    home.clock.advance(49 * 3_600_000);
    await home.runJob('decisions: review-decisions');
    expect(await toldOf(id, 'look_again')).toEqual([cleo.id]);
    expect((await home.by(cleo).getDecision({ id })).status).toBe(DecisionStatus.AGREED);
  });
});

describe('who is awaited', () => {
  test('the guardian is awaited for a child, and never under a viewer’s shielded id', async () => {
    const { guardian, child } = home.newFamily({ app: '' });
    const [ada, teen] = [home.newPerson(), home.newPerson({ ageBand: AgeBand.TEEN16, app: '' })];
    const group = home.newGroup([ada, child, teen]);
    const { id } = await home.decide(ada, group, { questions: two });
    const plan = await home.propose(ada, group);
    for (const shown of [
      await home.by(ada).getDecision({ id }),
      await home.plansBy(ada).getPlan({ id: plan.id }),
    ]) {
      expect(shown.waitingOn).toContain(perId(guardian));
      expect(shown.waitingOn.join()).not.toMatch(/shp_/);
      expect(shown.waitingOn).not.toContain(perId(child));
    }
    expect((await home.by(teen).getDecision({ id })).waitingOn).toContain(perId(teen));
    expect(await toldOf(id, 'started')).toEqual(expect.arrayContaining([ada.id, guardian.id, teen.id]));
  });

  test('a second guardian is notified and answers, and is not awaited once they stop being a guardian', async () => {
    const { guardian, child } = home.newFamily();
    const [ada, second] = [home.newPerson(), home.newPerson()];
    const { id } = await home.decide(ada, home.newGroup([ada, child]), { questions: two });
    const know = async (...guardians: PersonFacts[]) => {
      home.world.changePerson(child, { guardians: guardians.map((person) => person.id) });
      const value = { person: { id: child.id }, changed: ['guardian'] };
      await home.publish({ case: 'personChanged', value });
    };
    await know(guardian, second);
    expect(await toldOf(id, 'reminded')).toEqual([second.id]);
    expect((await home.by(second).getDecision({ id })).waitingOn).toEqual(
      expect.arrayContaining([perId(guardian), perId(second)]),
    );
    await know(guardian);
    expect((await home.by(guardian).getDecision({ id })).waitingOn).not.toContain(perId(second));
    expect(await failure(home.by(second).answerDecision({ id, answers: all }))).toBe('not_found not_found');
    await know(guardian, second);
    expect((await home.by(second).answerDecision({ id, answers: all })).peopleAnswered).toBe(1);
  });
});
