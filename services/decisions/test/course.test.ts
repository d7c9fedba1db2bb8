import { DecisionStatus, ReviewAction, Verdict } from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { failure } from '@hearth/testkit';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { answers, dinner, firm, instants, perId, startDecisions, times } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, CLASH, PROPOSED, REVIEW, AGREED, CANCELLED } = DecisionStatus;
const { APPROVED, CHANGE } = Verdict;
const hour = 3_600_000;

function friends(count: number): PersonFacts[] {
  return Array.from({ length: count }, () => home.newPerson());
}

describe('from a question to an outcome', () => {
  test('everyone answers, everyone approves', async () => {
    const [ada, ben, cleo] = friends(3) as [PersonFacts, PersonFacts, PersonFacts];
    const group = home.newGroup([ada, ben, cleo]);
    const started = await home.decide(home.newAi(ada), group);
    expect(started).toMatchObject({
      status: OPEN,
      timeZone: 'Europe/Zurich',
      peopleAsked: 3,
      peopleAnswered: 0,
      waitingOn: [perId(ada), perId(ben), perId(cleo)],
      group: { name: group.facts.name, address: `&${group.facts.handle}` },
    });
    expect(started.questions.map(({ options }) => options)).toEqual([instants, ['Pizza', 'Soup'], []]);
    const { id } = started;
    await home.by(ada).answerDecision({ id, answers: answers([times[0]!, times[1]!], 'Pizza', 'Wine') });
    await home.by(home.newAi(ben)).answerDecision({ id, answers: answers([instants[1]], 'Soup', 'wine ') });
    const proposed = await home
      .by(cleo)
      .answerDecision({ id, answers: answers([instants[1]], 'pizza', 'Salad') });
    expect(proposed.status).toBe(PROPOSED);
    expect(proposed.proposal).toMatchObject({
      version: 1,
      when: instants[1],
      summary: 'Tue, 4 May 2027, 18:00; Pizza; to bring: Wine, wine, Salad',
      bring: [
        { what: 'Wine', duplicate: true },
        { what: 'wine', duplicate: true },
        { what: 'Salad', duplicate: false },
      ],
    });
    for (const person of [ada, ben])
      await home.by(person).approveDecision({ id, decision: APPROVED, version: 1 });
    const agreed = await home.by(cleo).approveDecision({ id, decision: APPROVED, version: 1 });
    expect(agreed).toMatchObject({
      status: AGREED,
      record: { type: 'decision.outcome', status: 'agreed', subject: { kind: 'decision', id } },
    });
    const { text } = await home.by(ben).getDecisionIcs({ id });
    expect(text).toContain('DTSTART:20270504T160000Z');
  });

  test('firm answers clash, the people pick the same', async () => {
    const [ada, ben] = friends(2) as [PersonFacts, PersonFacts];
    const { id } = await home.decide(ada, home.newGroup([ada, ben]), { questions: dinner.slice(0, 2) });
    await home
      .by(home.newAi(ada))
      .answerDecision({ id, answers: [firm(1, [instants[0]]), ...answers(undefined, 'Soup')] });
    const clash = await home.by(home.newAi(ben)).answerDecision({ id, answers: [firm(1, [instants[2]])] });
    expect(clash).toMatchObject({
      status: CLASH,
      clash: { question: 'Which evening?', waitingFor: [perId(ada), perId(ben)] },
    });
    expect(await failure(home.by(ben).answerDecision({ id, answers: answers(undefined, 'Soup') }))).toBe(
      'bad_request not_waiting',
    );
    const decision = await home.by(ada).settleClash({ id, questionId: 1, answer: times[1]! });
    expect(decision.clash?.waitingFor).toEqual([perId(ben)]);
    const settled = await home.by(ben).settleClash({ id, questionId: 1, answer: instants[1] });
    expect(settled).toMatchObject({ status: PROPOSED, proposal: { when: instants[1] } });
  });

  test('a person who did not answer before the clash can still answer, and add a must of their own', async () => {
    const [ada, ben, cleo, dora] = friends(4) as [PersonFacts, PersonFacts, PersonFacts, PersonFacts];
    const group = home.newGroup([ada, ben, cleo, dora]);
    const { id } = await home.decide(ada, group, { questions: dinner.slice(0, 2), deadlineHours: 1 });
    const answer = (who: PersonFacts, ...given: ReturnType<typeof answers>) =>
      home.by(who).answerDecision({ id, answers: given });
    await answer(ada, firm(2, 'Pizza'), ...answers([instants[0]]));
    const { clash, peopleAnswered } = await answer(ben, firm(2, 'Soup'), ...answers([instants[0]]));
    expect([clash?.waitingFor, peopleAnswered]).toEqual([[perId(ada), perId(ben)], 2]);
    await home.by(ada).settleClash({ id, questionId: 2, answer: 'Pizza' });
    const beside = await answer(cleo, ...answers([instants[1]], 'Soup'));
    expect(beside).toMatchObject({ status: CLASH, peopleAnswered: 3, clash: { waitingFor: [perId(ben)] } });
    const joined = await answer(dora, firm(2, 'Soup'), ...answers([instants[0]]));
    expect(joined).toMatchObject({
      status: CLASH,
      peopleAnswered: 4,
      clash: { until: clash?.until, waitingFor: [perId(ben), perId(dora)] },
    });
    expect(joined.clash?.sides.map(({ people }) => people)).toEqual([
      [perId(ada)],
      [perId(ben), perId(dora)],
    ]);
    const told = (await home.events('decisions', 'decisionChanged')).flatMap(({ data: { value } }) =>
      value.what === 'clash' && String(value.decision?.number) === id
        ? [value.needs.map(({ person }) => person)]
        : [],
    );
    expect(told).toEqual([[ada.id, ben.id], [dora.id]]);
    for (const [who, given] of [
      [ada, answers([instants[1]])],
      [cleo, answers([instants[0]])],
    ] as const)
      expect(await failure(answer(who, ...given))).toBe('bad_request not_waiting');
    for (const who of [ben, dora]) await home.by(who).settleClash({ id, questionId: 2, answer: 'Pizza' });
    expect(await home.by(cleo).getDecision({ id })).toMatchObject({
      status: PROPOSED,
      proposal: { when: instants[0] },
    });
  });

  test('nobody joins a clash after the deadline for answers', async () => {
    const [ada, ben, cleo] = friends(3) as [PersonFacts, PersonFacts, PersonFacts];
    const group = home.newGroup([ada, ben, cleo]);
    const { id } = await home.decide(ada, group, { questions: dinner.slice(0, 2), deadlineHours: 1 });
    for (const [who, food] of [
      [ada, 'Pizza'],
      [ben, 'Soup'],
    ] as const)
      await home.by(who).answerDecision({ id, answers: [firm(2, food)] });
    home.clock.advance(hour);
    const late = home.by(cleo).answerDecision({ id, answers: answers([instants[0]], 'Soup') });
    expect(await failure(late)).toBe('bad_request not_waiting');
  });

  test('picks that differ go to the organizers, who edit the proposal', async () => {
    const [ada, ben] = friends(2) as [PersonFacts, PersonFacts];
    const { id } = await home.decide(ada, home.newGroup([ada, ben]), { questions: dinner.slice(0, 2) });
    await home.by(ada).answerDecision({ id, answers: [firm(2, 'Pizza'), ...answers([instants[0]])] });
    await home.by(ben).answerDecision({ id, answers: [firm(2, 'Soup')] });
    await home.by(ada).settleClash({ id, questionId: 2, answer: 'Pizza' });
    expect(await home.by(ben).settleClash({ id, questionId: 2, answer: 'Soup' })).toMatchObject({
      status: REVIEW,
    });
    expect(await failure(home.by(ben).reviewDecision({ id, action: ReviewAction.ACCEPT }))).toBe(
      'forbidden no_permission',
    );
    const edited = await home
      .by(ada)
      .reviewDecision({ id, action: ReviewAction.EDIT, answers: answers(undefined, 'Pizza') });
    expect(edited).toMatchObject({ status: PROPOSED, proposal: { version: 1 } });
  });

  test('missing answers are assumed at the deadline from notes and guesses, and people may object', async () => {
    const [ada, ben, cleo] = friends(3) as [PersonFacts, PersonFacts, PersonFacts];
    const group = home.newGroup([ada, ben, cleo]);
    home.world.sharedNotes.push({ group: group.facts.id, person: ben.id, about: 'food', text: 'soup' });
    home.guesses.set(cleo.id, () => [{ questionId: 1n, answer: [instants[2]], reason: 'always late' }]);
    const { id } = await home.decide(ada, group, { questions: dinner.slice(0, 2), deadlineHours: 1 });
    await home.by(ada).answerDecision({ id, answers: answers([instants[2]], 'Soup') });
    home.clock.advance(hour);
    await home.runJob('decisions: advance-decisions');
    const proposed = await home.by(ada).getDecision({ id });
    expect(proposed).toMatchObject({ status: PROPOSED, proposal: { when: instants[2] } });
    expect(proposed.answers.filter(({ assumed }) => assumed).map(({ person }) => person)).toEqual([
      perId(cleo),
      perId(ben),
    ]);
    await home.by(ada).approveDecision({ id, decision: APPROVED, version: 1 });
    expect((await home.by(ada).getDecision({ id })).status).toBe(PROPOSED);
    home.clock.advance(24 * hour);
    expect((await home.by(ada).getDecision({ id })).status).toBe(AGREED);
  });

  test('a decision that nobody answers is cancelled', async () => {
    const [ada, ben] = friends(2) as [PersonFacts, PersonFacts];
    const { id } = await home.decide(ada, home.newGroup([ada, ben]), { deadlineHours: 1 });
    home.clock.advance(hour);
    expect(await home.by(ada).getDecision({ id })).toMatchObject({ status: CANCELLED, why: 'no_answers' });
  });

  test('a requested change reopens the questions', async () => {
    const [ada, ben] = friends(2) as [PersonFacts, PersonFacts];
    const { id } = await home.decide(ada, home.newGroup([ada, ben]), { questions: dinner.slice(0, 2) });
    for (const person of [ada, ben])
      await home.by(person).answerDecision({ id, answers: answers([instants[0]], 'Soup') });
    const review = await home
      .by(ben)
      .approveDecision({ id, decision: CHANGE, note: 'Too early', version: 1 });
    expect(review).toMatchObject({ status: REVIEW, waitingOn: [perId(ada)] });
    expect(await home.by(ada).reviewDecision({ id, action: ReviewAction.REOPEN })).toMatchObject({
      status: OPEN,
      answers: [],
    });
    for (const person of [ada, ben])
      await home.by(person).answerDecision({ id, answers: answers([instants[1]], 'Soup') });
    expect(await failure(home.by(ada).approveDecision({ id, decision: APPROVED, version: 1 }))).toBe(
      'bad_request ask_changed version',
    );
  });
});

describe('a decision that is read again', () => {
  test('is refetched when another process changed it, and access is checked every time', async () => {
    const [ada, ben] = friends(2) as [PersonFacts, PersonFacts];
    const { id } = await home.decide(ada, home.newGroup([ada, ben]), { questions: dinner.slice(0, 2) });
    await home.by(ada).answerDecision({ id, answers: answers([instants[0]], 'Soup') });
    const { db } = home.host('decisions').database;
    const asked = jest.spyOn(db, 'query');
    const read = async (who: PersonFacts) => {
      asked.mockClear();
      const { title, peopleAnswered } = await home.by(who).getDecision({ id });
      const [sent] = (await asked.mock.results[0]!.value) as { people: unknown[] | null }[];
      return { title, peopleAnswered, whole: sent!.people !== null };
    };
    expect(await read(ben)).toEqual({ title: 'Dinner', peopleAnswered: 1, whole: false });
    const other = (text: string) => home.database.statement((tx) => tx.execute({ text, values: [id] }));
    await other(`update decisions.decisions set title = 'Supper' where number = $1`);
    expect(await read(ben)).toEqual({ title: 'Supper', peopleAnswered: 1, whole: true });
    expect(await read(ada)).toEqual({ title: 'Supper', peopleAnswered: 1, whole: false });
    asked.mockRestore();
    await other(`
      delete from decisions.seats where item = (select id from decisions.decisions where number = $1)
        and viewer = '${ben.id}'`);
    expect(await failure(home.by(ben).getDecision({ id }))).toBe('not_found not_found');
    expect((await home.by(ada).getDecision({ id })).title).toBe('Supper');
  });
});
