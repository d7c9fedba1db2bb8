import { DecisionStatus, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { StanceKind } from '@hearth/proto/decisions/v1/plans';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { answers, dinner, instants, perId, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { APPROVED } = Verdict;
const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');

describe('a child', () => {
  test('is answered for by a guardian in the group, together with the guardian', async () => {
    const { guardian, child } = home.newFamily();
    const other = home.newPerson();
    const { id, peopleAsked } = await home.decide(other, home.newGroup([other, guardian, child]), {
      questions: two,
    });
    expect(peopleAsked).toBe(3);
    expect(await failure(home.by(child).answerDecision({ id, answers: all }))).toBe(
      'forbidden guardian_needed',
    );
    const answered = await home.by(guardian).answerDecision({ id, answers: all });
    expect(answered.peopleAnswered).toBe(2);
    expect(answered.waitingOn).toEqual([perId(other)]);
  });

  test('is answered for alone if the guardian says so, even by a guardian outside the group', async () => {
    const { guardian, child } = home.newFamily();
    const other = home.newPerson();
    const { id } = await home.decide(other, home.newGroup([other, child]), { questions: two });
    const answered = await home.by(guardian).answerDecision({ id, answers: all, for: perId(child) });
    expect(answered).toMatchObject({ peopleAsked: 2, peopleAnswered: 1 });
    expect(await failure(home.by(guardian).answerDecision({ id, answers: all, for: perId(other) }))).toBe(
      'not_found not_found',
    );
  });

  test('who turns 18 answers for themselves at once, before any event', async () => {
    const { guardian, child } = home.newFamily({ ageBand: AgeBand.TEEN16 });
    const other = home.newPerson();
    const group = home.newGroup([other, child]);
    const { id } = await home.decide(other, group, { questions: two });
    const plan = await home.propose(other, group);
    home.world.changePerson(child, { ageBand: AgeBand.ADULT, guardians: [], aiShare: false });
    // As long as people's facts are cached at most.
    home.clock.advance(30_000);
    expect(await failure(home.by(guardian).answerDecision({ id, answers: all }))).toMatch(/^forbidden/);
    const answered = await home.by(child).answerDecision({ id, answers: all });
    expect(answered).toMatchObject({ peopleAnswered: 1, waitingOn: [perId(other)] });
    expect(await failure(home.by(guardian).getDecision({ id }))).toBe('not_found not_found');
    const taken = await home
      .plansBy(child)
      .takeStance({ id: plan.id, stances: [{ option: 1, stance: StanceKind.WORKS }] });
    expect(taken.waitingOn).not.toContain(perId(guardian));
  });

  test('is approved for by the guardian’s own tap, never by an AI', async () => {
    const { guardian, child } = home.newFamily();
    const other = home.newPerson();
    const { id } = await home.decide(other, home.newGroup([other, child]), { questions: two, needs: 1 });
    await home.by(guardian).answerDecision({ id, answers: all });
    await home.by(other).answerDecision({ id, answers: all });
    const ai = home.newAi(guardian, [Scope.READ, Scope.GROUP, Scope.APPROVE]);
    expect(await failure(home.by(ai).approveDecision({ id, decision: APPROVED, version: 1 }))).toBe(
      'forbidden needs_person',
    );
    await home.by(other).approveDecision({ id, decision: APPROVED, version: 1 });
    const agreed = await home.by(guardian).approveDecision({ id, decision: APPROVED, version: 1 });
    expect(agreed.status).toBe(DecisionStatus.AGREED);
    expect(JSON.stringify(agreed.record)).not.toContain(child.handle);
  });

  test('is not answered for by an AI when the guardian allows no AI', async () => {
    const { guardian, child } = home.newFamily({ aiShare: false });
    const other = home.newPerson();
    const { id } = await home.decide(other, home.newGroup([other, guardian, child]), { questions: two });
    const answered = await home.by(home.newAi(guardian)).answerDecision({ id, answers: all });
    expect(answered.peopleAnswered).toBe(1);
  });

  test('without a guardian is left out, and a teenager who joined alone answers', async () => {
    const [other, child, teen] = [
      home.newPerson(),
      home.newPerson({ ageBand: AgeBand.CHILD }),
      home.newPerson({ ageBand: AgeBand.TEEN16 }),
    ];
    const { id, peopleAsked } = await home.decide(other, home.newGroup([other, child, teen]), {
      questions: two,
    });
    expect(peopleAsked).toBe(2);
    expect((await home.by(teen).answerDecision({ id, answers: all })).peopleAnswered).toBe(1);
    expect(await failure(home.by(child).getDecision({ id }))).toBe('not_found not_found');
  });

  test('appears to others under a shielded id', async () => {
    const { guardian, child } = home.newFamily({ name: 'Kim Possible', app: '' });
    const other = home.newPerson();
    const { id } = await home.decide(other, home.newGroup([other, child]), { questions: two });
    await home.by(guardian).answerDecision({ id, answers: all });
    const shown = await home.by(other).answerDecision({ id, answers: all });
    const [theirs] = shown.answers.filter(({ person }) => person.startsWith('shp_'));
    expect(theirs?.name).toBe('Kim P.');
    expect(shown.answers.map(({ person }) => person)).not.toContain(perId(child));
  });
});
