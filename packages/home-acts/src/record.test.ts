import type { JsonValue } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import type { SentWord } from './db.ts';
import { wordsRecorded } from './record.ts';

const ben = 'ben@here.example';
const act = (operation: string, request: object = {}) => ({ operation, request }) as SentWord;
const isGiven = (record: JsonValue, ...acts: SentWord[]) =>
  wordsRecorded(record, 'here.example').every(({ isGivenBy }) => isGivenBy !== null && acts.some(isGivenBy));

describe('a word of a party of this home in a record of another one', () => {
  test.each<[string, JsonValue, SentWord]>([
    [
      'an approval',
      { approvals: [{ to: ben, decision: 'approved' }] },
      act('approve_decision', { decision: 'approved' }),
    ],
    ['an answer', { outcome: { answers: [{ people: [{ to: ben }] }] } }, act('answer_decision')],
    ['a pick', { outcome: { answers: [{ people: [{ to: ben }] }] } }, act('settle_clash')],
    ['a thing to bring', { outcome: { bring: [{ to: ben, what: 'salad' }] } }, act('answer_decision')],
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
  });

  test('is none at a place that is not known, and none is needed where it says nothing of them', () => {
    expect(isGiven({ votes: [{ to: ben }] }, act('approve_decision'))).toBe(false);
    expect(isGiven({ people: [{ to: ben, stances: [] }] })).toBe(true);
    expect(isGiven({ outcome: { bring: [{ to: ben, what: 'salad', assumed: true }] } })).toBe(true);
    expect(isGiven({ meeting: { booked_by: { address: ben } }, acts: [{ type: 'act', from: ben }] })).toBe(
      true,
    );
    expect(isGiven({ approvals: [{ to: 'ada@there.example', decision: 'approved', name: ben }] })).toBe(true);
  });
});
