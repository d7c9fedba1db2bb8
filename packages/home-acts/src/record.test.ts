import type { JsonValue } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import type { SentWord } from './db.ts';
import { wordsRecorded } from './record.ts';

const ben = 'ben@here.example';
const act = (operation: string, request: object = {}) => ({ operation, request }) as SentWord;
const isGiven = (record: JsonValue, ...acts: SentWord[]) =>
  wordsRecorded(record, 'here.example').every(({ isGivenBy }) => isGivenBy?.(acts) ?? false);

const answered = (answer: string, more: object = {}) => ({
  decision: { questions: [{ id: 1, kind: 'choice' }] },
  outcome: { answers: [{ question_id: 1, answer, people: [{ to: ben, ...more }] }] },
});

describe('a word of a party of this home in a record of another one', () => {
  test.each<[string, JsonValue, SentWord]>([
    [
      'an approval',
      { approvals: [{ to: ben, decision: 'approved' }] },
      act('approve_decision', { decision: 'approved' }),
    ],
    [
      'an answer',
      answered('Soup'),
      act('answer_decision', { answers: [{ question_id: 1, answer: ' soup' }] }),
    ],
    ['a pick', answered('Soup'), act('settle_clash', { question_id: 1, answer: 'Soup' })],
    [
      'a thing to bring',
      { outcome: { bring: [{ to: ben, what: 'salad' }] } },
      act('answer_decision', { answers: [{ question_id: 2, answer: 'salad' }] }),
    ],
    [
      'a thing that an organizer gave them to bring',
      { outcome: { version: 2, bring: [{ to: ben, what: 'salad' }] } },
      act('approve_decision', { decision: 'approved', version: 2 }),
    ],
    [
      'a stance',
      { people: [{ to: ben, stances: [{ option: 1, stance: 'works' }] }] },
      act('take_stance', { stances: [{ option: 1, stance: 'works' }] }),
    ],
    ['a choice', { people: [{ to: ben, stances: [], chose: 2 }] }, act('choose_option', { option: 2 })],
    ['a signature', { sides: [{ address: ben, signed_at: 'now' }] }, act('sign_agreement')],
    [
      'an outcome',
      { sides: [{ address: ben, settled: 'kept' }] },
      act('settle_agreement', { outcome: 'kept' }),
    ],
  ])('%s counts by its act alone', (_, record, by) => {
    expect(isGiven(record, by)).toBe(true);
    expect(isGiven(record)).toBe(false);
    expect(isGiven(record, act('leave_group'))).toBe(false);
  });

  test('is not another one than they gave', () => {
    const declined = act('approve_decision', { decision: 'declined' });
    expect(isGiven({ approvals: [{ to: ben, decision: 'approved' }] }, declined)).toBe(false);
    const stances = [{ option: 1, stance: 'works' }];
    const other = act('take_stance', { stances: [{ option: 1, stance: 'doesnt_work' }] });
    expect(isGiven({ people: [{ to: ben, stances }] }, other)).toBe(false);
    // Each stance counts by itself.
    const both = [...stances, { option: 2, stance: 'works' }];
    expect(isGiven({ people: [{ to: ben, stances: both }] }, act('take_stance', { stances }))).toBe(false);
    const byAi = [{ option: 1, stance: 'works', by: 'ai' }];
    expect(isGiven({ people: [{ to: ben, stances: byAi }] }, act('take_stance', { stances }))).toBe(false);
    const soup = act('answer_decision', { answers: [{ question_id: 1, answer: 'Soup' }] });
    expect(isGiven(answered('Pizza'), soup)).toBe(false);
    const salad = { outcome: { version: 1, bring: [{ to: ben, what: 'salad' }] } };
    expect(isGiven(salad, soup, act('approve_decision', { decision: 'approved', version: 2 }))).toBe(false);
    const kept = { sides: [{ address: ben, settled: 'kept', note: 'Never again' }] };
    expect(isGiven(kept, act('settle_agreement', { outcome: 'kept' }))).toBe(false);
    const yes = { approvals: [{ to: ben, decision: 'approved', by: 'ai' }] };
    expect(isGiven(yes, act('approve_decision', { decision: 'approved' }))).toBe(false);
  });

  test('is none that its home assumed: nothing is shared with it', () => {
    const soup = act('answer_decision', { answers: [{ question_id: 1, answer: 'Soup' }] });
    expect(isGiven(answered('Soup', { assumed: true }), soup)).toBe(false);
    expect(isGiven({ outcome: { bring: [{ to: ben, what: 'salad', assumed: true }] } }, soup)).toBe(false);
  });

  test('is none at a place that is not known, and none is needed where it says nothing of them', () => {
    expect(isGiven({ votes: [{ to: ben }] }, act('approve_decision'))).toBe(false);
    expect(isGiven({ people: [{ to: ben, stances: [] }] })).toBe(true);
    expect(isGiven({ meeting: { booked_by: { address: ben } }, acts: [{ type: 'act', from: ben }] })).toBe(
      true,
    );
    expect(isGiven({ approvals: [{ to: 'ada@there.example', decision: 'approved', name: ben }] })).toBe(true);
  });
});
