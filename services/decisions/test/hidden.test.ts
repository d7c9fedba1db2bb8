import { printId } from '@hearth/ids';
import { Verdict } from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { asApp, failure } from '@hearth/testkit';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { answers, dinner, instants, perId, slots, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');

describe('a decision that is hidden from a person', () => {
  test('is not found by them or their AIs, whatever happens to it', async () => {
    const [ada, ben, birthday] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, birthday]);
    group.organizers.add(birthday.id);
    const ai = home.newAi(birthday);
    const { id, peopleAsked } = await home.decide(ada, group, {
      questions: two,
      hiddenFrom: `@${birthday.handle}`,
    });
    expect(peopleAsked).toBe(2);
    const unseen = async () => {
      for (const who of [birthday, ai]) {
        const calls = home.by(who);
        const none = await failure(calls.getDecision({ id: '4503599627370495' }));
        expect(await failure(calls.getDecision({ id }))).toBe(none);
        expect(await failure(calls.getDecisionIcs({ id }))).toBe(none);
        expect(await failure(calls.answerDecision({ id, answers: all }))).toBe(none);
        expect(await failure(calls.cancelDecision({ id }))).toBe(none);
        expect(await failure(calls.extendDecision({ id, deadlineHours: 30 }))).toBe(none);
        expect((await calls.listDecisions({})).decisions).toEqual([]);
        expect(await home.client.countWaiting({ person: birthday.id })).toMatchObject({ waiting: 0 });
      }
    };
    await unseen();
    for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
    await unseen();
    for (const person of [ada, ben])
      await home.by(person).approveDecision({ id, decision: Verdict.APPROVED, version: 1 });
    await unseen();
    const events = await home.events('decisions');
    for (const { data } of events) {
      const told = data.case === 'decisionChanged' || data.case === 'decisionAgreed' ? data.value : undefined;
      expect(told?.decision?.hiddenFrom).toBe(birthday.id);
      const text = JSON.stringify({ ...told, decision: undefined }, (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      expect(text).not.toContain(birthday.id);
    }
  });

  test('takes as many statements as an unknown id', async () => {
    const [ada, birthday] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, birthday]);
    const { id } = await home.decide(ada, group, { hiddenFrom: perId(birthday), questions: two });
    const { db } = home.host('decisions').database;
    const asked = (['query', 'maybeOne', 'one'] as const).map((name) => jest.spyOn(db, name));
    const calls = home.by(birthday);
    const statementsOf = async (number: string) => {
      for (const mock of asked) mock.mockClear();
      await failure(calls.getDecision({ id: number }));
      await failure(calls.answerDecision({ id: number, answers: all }));
      await failure(calls.cancelDecision({ id: number }));
      return asked.flatMap(({ mock }) => mock.calls.map(([{ name }]) => name));
    };
    const hidden = await statementsOf(id);
    const looks = (name: string) => hidden.filter((called) => called === name).length;
    expect([hidden.length, looks('decisions_find_seen'), looks('decisions_find_any')]).toEqual([6, 3, 3]);
    expect(await statementsOf('4503599627370495')).toEqual(hidden);
    jest.restoreAllMocks();
  });

  test('shows its people and the app from whom it is hidden', async () => {
    const [ada, birthday] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, birthday]);
    const { id } = await home.decide(ada, group, { hiddenFrom: perId(birthday), questions: two });
    expect((await home.by(ada).getDecision({ id })).hiddenFrom).toBe(perId(birthday));
    expect((await home.by(asApp(home.app)).getDecision({ id })).hiddenFrom).toBe(perId(birthday));
  });

  test('does not ask a guardian from whom it is hidden', async () => {
    const { guardian, child } = home.newFamily();
    const second = home.newPerson();
    home.world.changePerson(child, { guardians: [guardian.id, second.id] });
    const ada = home.newPerson();
    const { id } = await home.decide(ada, home.newGroup([ada, guardian, child]), {
      questions: two,
      hiddenFrom: perId(guardian),
    });
    expect(await failure(home.by(guardian).getDecision({ id }))).toBe('not_found not_found');
    expect((await home.by(second).getDecision({ id })).waitingOn).toContain(perId(second));
  });

  test('cannot be hidden from its starter or from somebody outside the group', async () => {
    const [ada, stranger] = [home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada]);
    const decide = (hiddenFrom: string) => failure(home.decide(ada, group, { questions: two, hiddenFrom }));
    expect(await decide('me')).toBe('bad_request bad_field hidden_from');
    expect(await decide(printId('per', stranger.id))).toBe('bad_request bad_field hidden_from');
  });

  test('cannot include the person from whom it is hidden', async () => {
    const [ada, ben, birthday] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newGroup([ada, ben, birthday]);
    const both = { with: [perId(ben), `@${birthday.handle}`], hiddenFrom: perId(birthday) };
    for (const asked of [
      home.decide(ada, group, { questions: two, ...both }),
      home.propose(ada, group, both),
    ])
      expect(await failure(asked)).toBe('bad_request bad_field with[1]');
  });

  test('belongs to its starter’s only group when it names none', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const begin = (who: PersonFacts) => [
      () => home.by(who).decide({ title: 'Cake', questions: two }),
      () => home.plansBy(who).proposePlan({ title: 'Cake', options: slots }),
    ];
    for (const make of begin(ada)) expect(await failure(make())).toBe('bad_request bad_field group');
    const group = home.newGroup([ada, ben]);
    home.newGroup([ada], { archived: true });
    const made = await home.by(ada).decide({ title: 'Cake', questions: two });
    expect(made.group?.id).toBe(printId('grp', group.facts.id));
    expect((await home.plansBy(ada).proposePlan({ title: 'Cake', options: slots })).group).toBe(
      made.group?.id,
    );
    const other = home.newGroup([ada]);
    for (const make of begin(ada))
      await expect(make()).rejects.toThrow(`&${group.facts.handle}, &${other.facts.handle}`);
  });
});
