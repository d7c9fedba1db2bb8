import { DecisionStatus, ReviewAction, Verdict } from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { failure } from '@hearth/testkit';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { answers, dinner, instants, startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');
const hour = 3_600_000;
let ada: PersonFacts;
let ben: PersonFacts;

beforeEach(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  home.peers.back('federation');
});

const decide = async (deadlineHours = 24) =>
  (await home.decide(ada, home.newGroup([ada, ben]), { questions: two, deadlineHours })).id;
const approve = (who: PersonFacts, id: string, decision = Verdict.APPROVED) =>
  home.by(who).approveDecision({ id, decision, version: 1, note: 'Too late' });

/** The stages of a decision and the people notified at each, in order. */
async function told(id: string): Promise<[what: string, people: string[]][]> {
  const events = await home.events('decisions', 'decisionChanged');
  return events
    .filter(({ data: { value } }) => `${value.decision?.number}` === id)
    .map(({ data: { value } }) => [value.what, value.needs.map(({ person }) => person)]);
}

test('people who have not answered are reminded once, with a quarter of the time left', async () => {
  const id = await decide(4);
  await home.by(ada).answerDecision({ id, answers: all });
  home.clock.advance(3 * hour - 1);
  await home.runJob('decisions: advance-decisions');
  expect(await told(id)).toHaveLength(1);
  home.clock.advance(1);
  for (let run = 0; run < 2; run += 1) await home.runJob('decisions: advance-decisions');
  expect(await told(id)).toEqual([
    ['started', [ada.id, ben.id]],
    ['closing_soon', [ben.id]],
  ]);
  await home.by(ada).extendDecision({ id, deadlineHours: 8 });
  home.clock.advance(6 * hour);
  await home.runJob('decisions: advance-decisions');
  expect((await told(id)).at(-1)).toEqual(['closing_soon', [ben.id]]);
});

test('a decision agreed while signing is unavailable is signed later, and announced then', async () => {
  const id = await decide();
  for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
  home.peers.away('federation');
  await approve(ada, id);
  const agreed = await approve(ben, id);
  expect([agreed.status, agreed.record]).toEqual([DecisionStatus.AGREED, undefined]);
  const announced = async () =>
    (await home.events('decisions', 'decisionAgreed')).filter(
      ({ data: { value } }) => `${value.decision?.number}` === id,
    );
  expect(await announced()).toEqual([]);
  home.peers.back('federation');
  home.clock.advance(6_000);
  await home.runJob('decisions: sign-decisions');
  await home.runJob('decisions: sign-decisions');
  expect((await announced()).map(({ data: { value } }) => value.summary)).toEqual([
    'Mon, 3 May 2027, 18:00; Soup',
  ]);
});

test('organizers are notified on the review day', async () => {
  const id = await decide();
  for (const person of [ada, ben]) await home.by(person).answerDecision({ id, answers: all });
  await approve(ben, id, Verdict.CHANGE);
  const day = new Date(home.clock.now() + 48 * hour).toISOString().slice(0, 10);
  const accept = (reviewOn: string) =>
    home.by(ada).reviewDecision({ id, action: ReviewAction.ACCEPT, reviewOn });
  for (const over of ['0000-01-01', '2020-05-03', '9999-12-31'])
    expect(await failure(accept(over))).toBe('bad_request bad_field review_on');
  const accepted = await accept(day);
  expect(accepted).toMatchObject({ status: DecisionStatus.AGREED, reviewOn: day });
  await home.runJob('decisions: review-decisions');
  expect((await told(id)).map(([what]) => what)).not.toContain('look_again');
  home.clock.advance(48 * hour);
  for (let run = 0; run < 2; run += 1) await home.runJob('decisions: review-decisions');
  expect((await told(id)).filter(([what]) => what === 'look_again')).toEqual([['look_again', [ada.id]]]);
});

test('an unresolved clash goes to the organizers after two days', async () => {
  const id = await decide();
  const firmly = (choice: string) =>
    answers([], choice).map((answer) => ({ ...answer, firm: answer.questionId === 2 }));
  await home.by(ada).answerDecision({ id, answers: firmly('Soup') });
  await home.by(ben).answerDecision({ id, answers: firmly('Pizza') });
  home.clock.advance(48 * hour);
  await home.runJob('decisions: advance-decisions');
  expect((await told(id)).slice(1)).toEqual([
    ['clash', [ada.id, ben.id]],
    ['review', [ada.id]],
  ]);
});
