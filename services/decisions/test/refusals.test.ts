import { printId } from '@hearth/ids';
import { QuestionKind, ReviewAction, Verdict } from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { FakeGroup } from '@hearth/testkit';
import { failure } from '@hearth/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answers, dinner, instants, perId, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

let ada: PersonFacts;
let ben: PersonFacts;
let group: FakeGroup;
beforeAll(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  group = home.newGroup([ada, ben]);
});

const { WHEN, CHOICE, TEXT } = QuestionKind;
const text = { kind: TEXT, prompt: 'Why?' };

describe('a decision is refused', () => {
  test.each([
    [
      'a duplicate option',
      [{ kind: CHOICE, prompt: '?', options: ['Tea', ' tea'] }, text],
      'bad_field questions[0].options[1]',
    ],
    ['one option', [{ kind: CHOICE, prompt: '?', options: ['Tea'] }, text], 'bad_field questions[0].options'],
    [
      'options on a text question',
      [text, { ...text, options: ['a', 'b'] }],
      'bad_field questions[1].options',
    ],
    [
      'no time',
      [{ kind: WHEN, prompt: '?', options: ['soon', 'later'] }, text],
      'bad_field questions[0].options[0]',
    ],
    [
      'days and times',
      [{ kind: WHEN, prompt: '?', options: ['2027-05-03', '2027-05-03T10:00'] }, text],
      'bad_field questions[0].options',
    ],
    [
      'a time in a six-digit year',
      [{ kind: WHEN, prompt: '?', options: ['2027-05-03T10:00', '+275760-09-13T00:00:00Z'] }, text],
      'bad_field questions[0].options[1]',
    ],
    [
      'a skipped time',
      [{ kind: WHEN, prompt: '?', options: ['2027-03-28T02:30', '2027-03-28T05:00'] }, text],
      'ambiguous_time questions[0].options[0]',
    ],
    [
      'an ambiguous time',
      [{ kind: WHEN, prompt: '?', options: ['2027-10-31T02:30', '2027-10-31T05:00'] }, text],
      'ambiguous_time questions[0].options[0]',
    ],
    [
      'a time in the past',
      [{ kind: WHEN, prompt: '?', options: ['2025-05-03T10:00', '2027-05-03T10:00'] }, text],
      'bad_field questions[0].options[0]',
    ],
    [
      'a day in the past',
      [{ kind: WHEN, prompt: '?', options: ['2027-05-03', '2026-02-27'] }, text],
      'bad_field questions[0].options[1]',
    ],
  ])('for %s', async (_, questions, expected) => {
    expect(await failure(home.decide(ada, group, { questions }))).toBe(`bad_request ${expected}`);
  });

  test('but not for questions without a prompt, which get a short one, or for today', async () => {
    const questions = [{ kind: WHEN, options: ['2026-03-01', '2026-03-02'] }, { kind: TEXT }];
    const made = await home.decide(ada, group, { questions });
    expect(made.questions.map(({ prompt }) => prompt)).toEqual(['When?', 'What do you say?']);
  });

  test('without a time zone', async () => {
    const nowhere = home.newGroup([ada], { timeZone: '' });
    expect(await failure(home.decide(ada, nowhere))).toBe('bad_request time_zone_needed time_zone');
    expect(await failure(home.decide(ada, nowhere, { timeZone: '+02:00' }))).toBe(
      'bad_request bad_field time_zone',
    );
  });

  test('for a person outside the group, a deadline too soon, an archived group, and a group without its AI', async () => {
    const refused = (fields: object, where = group) => failure(home.decide(ada, where, fields));
    expect(await refused({ with: [perId(home.newPerson())] })).toBe('bad_request bad_field with[0]');
    expect(await refused({ deadlineHours: 0.001 })).toBe('bad_request bad_field deadline_hours');
    expect(await refused({}, home.newGroup([ada], { archived: true }))).toBe('bad_request archived');
    expect(await refused({}, home.newGroup([ada], { settings: { groupAi: false } }))).toBe(
      'forbidden plans_off',
    );
    expect(await refused({}, home.newGroup([ben]))).toBe('not_found not_found');
  });

  test('for a reused request_id with another body, while an exact repeat returns the same decision', async () => {
    const request = { requestId: 'once', title: 'Once' };
    const [decision, again] = [
      await home.decide(ada, group, request),
      await home.decide(ada, group, request),
    ];
    expect(again.id).toBe(decision.id);
    expect(await failure(home.decide(ada, group, { ...request, title: 'Twice' }))).toBe(
      'bad_request request_id_reused request_id',
    );
  });
});

describe('an answer is refused', () => {
  const open = async () => (await home.decide(ada, group, { questions: dinner.slice(0, 2) })).id;

  test.each([
    [
      'an unknown question',
      { answers: answers(undefined, undefined, 'x') },
      'bad_field answers[0].question_id',
    ],
    ['an unknown option', { answers: answers(undefined, 'Cake') }, 'bad_field answers[0].answer'],
    [
      'a time that was not offered',
      { answers: answers(['2027-05-09T10:00']) },
      'bad_field answers[0].answer[0]',
    ],
    ['one time instead of a list', { answers: answers(instants[0]) }, 'bad_field answers[0].answer'],
    ['a number', { answers: answers(undefined, 7) }, 'bad_field answers[0].answer'],
    [
      'two answers to one question',
      { answers: [...answers([]), ...answers([])] },
      'bad_field answers[1].question_id',
    ],
  ])('for %s', async (_, request, expected) => {
    const id = await open();
    expect(await failure(home.by(ada).answerDecision({ id, ...request }))).toBe(`bad_request ${expected}`);
    // Nothing is applied halfway.
    expect(await home.by(ada).getDecision({ id })).toMatchObject({ revision: 1, answers: [] });
  });

  test('at the deadline and after the decision ended', async () => {
    const { id } = await home.decide(ada, group, { deadlineHours: 1 });
    await home.by(ada).answerDecision({ id, answers: answers([instants[0]]) });
    home.clock.advance(3_600_000);
    expect(await failure(home.by(ben).answerDecision({ id, answers: answers([instants[0]]) }))).toBe(
      'bad_request not_waiting',
    );
    await home.by(ada).cancelDecision({ id });
    expect((await home.by(ada).cancelDecision({ id })).why).toBe('cancelled');
    expect(await failure(home.by(ben).answerDecision({ id, answers: answers([]) }))).toBe(
      'bad_request already_settled',
    );
  });

  test('after it is agreed, like every other act', async () => {
    const id = await open();
    for (const person of [ada, ben])
      await home.by(person).answerDecision({ id, answers: answers([instants[0]], 'Soup') });
    const approval = { id, decision: Verdict.APPROVED, version: 1 };
    for (const person of [ada, ben]) await home.by(person).approveDecision(approval);
    const calls = home.by(ada);
    const agreed = await calls.getDecision({ id });
    for (const late of [
      () => calls.answerDecision({ id, answers: answers([]) }),
      () => calls.approveDecision(approval),
      () => calls.settleClash({ id, questionId: 1, answer: instants[0] }),
      () => calls.reviewDecision({ id, action: ReviewAction.REOPEN }),
      () => calls.extendDecision({ id, deadlineHours: 30 }),
      () => calls.remindDecision({ id }),
      () => calls.cancelDecision({ id }),
    ])
      expect(await failure(late())).toBe('bad_request already_settled');
    expect(await calls.getDecision({ id })).toEqual(agreed);
  });

  test('when a proposal of the group AI is invalid: the error names the field, and the earlier proposal stays', async () => {
    const id = await open();
    const groupAi = home.by(home.groupAiOf(group));
    const propose = (edit: object) => failure(groupAi.proposeOutcome({ id, ...edit }));
    expect(await propose({ summary: 'All is well' })).toBe('bad_request not_waiting');
    for (const person of [ada, ben])
      await home.by(person).answerDecision({ id, answers: answers([instants[0]], 'Soup') });
    const before = await home.by(ada).getDecision({ id });
    const bring = (person: string) => ({ bring: [{ person, what: 'Wine' }] });
    expect(await propose({ answers: answers(undefined, 'Cake') })).toBe(
      'bad_request bad_field answers[0].answer',
    );
    expect(await propose({ answers: answers(instants[0], undefined, 'x') })).toBe(
      'bad_request bad_field answers[1].question_id',
    );
    expect(await propose({ answers: answers([instants[0]]) })).toBe(
      'bad_request bad_field answers[0].answer',
    );
    expect(await propose(bring(perId(home.newPerson())))).toBe('bad_request bad_field bring[0].person');
    expect(await home.by(ada).getDecision({ id })).toEqual(before);
    const brought = await groupAi.proposeOutcome({ id, answers: answers(undefined, 'Pizza') });
    expect(brought.proposal).toMatchObject({ version: 2, by: printId('ai', group.facts.groupAi) });
  });

  test('from an AI where a person has to answer', async () => {
    const id = await open();
    const ai = home.newAi(ben, [Scope.READ, Scope.GROUP, Scope.APPROVE]);
    expect(await failure(home.by(ai).reviewDecision({ id, action: ReviewAction.ACCEPT }))).toBe(
      'forbidden no_permission',
    );
    expect(await failure(home.by(ai).proposeOutcome({ id }))).toBe('forbidden no_permission');
    expect(await failure(home.by(ben).approveDecision({ id, decision: Verdict.APPROVED, version: 1 }))).toBe(
      'bad_request not_waiting',
    );
    expect(await failure(home.by(ben).approveDecision({ id, decision: Verdict.CHANGE, version: 1 }))).toBe(
      'bad_request bad_field note',
    );
  });

  test('a second reminder within twelve hours', async () => {
    const id = await open();
    expect(await home.by(ada).remindDecision({ id })).toMatchObject({ reminded: 2 });
    expect(await failure(home.by(ada).remindDecision({ id }))).toMatch(/^rate_limited/);
    expect(await failure(home.by(ben).remindDecision({ id }))).toBe('forbidden no_permission');
  });
});
