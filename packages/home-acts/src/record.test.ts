import { HearthError } from '@hearth/errors';
import { Verdict } from '@hearth/proto/federation/v1/records';
import type { JsonValue } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import type { SentWord } from './db.ts';
import { isKeysAway, isSigned, wordsRecorded } from './record.ts';

const ben = 'ben@here.example';
const act = (operation: string, request: object = {}) => ({ operation, request }) as SentWord;
const isGiven = (record: JsonValue, ...acts: SentWord[]) =>
  wordsRecorded(record, 'here.example').every(({ isGivenBy }) => isGivenBy?.(acts) ?? false);

const answered = (answer: string, more: object = {}) => ({
  decision: { questions: [{ id: 1, kind: 'choice' }] },
  outcome: { answers: [{ question_id: 1, answer, people: [{ to: ben, ...more }] }] },
});

describe('a statement of a party of this home in a record of another home', () => {
  test.each<[string, JsonValue, SentWord]>([
    [
      'an answer to an ask',
      { answers: [{ to: ben, decision: 'approved', answer: 'Friday', note: 'Fine', by: 'person' }] },
      act('reply_approval', { decision: 'approved', answer: 'Friday', note: 'Fine' }),
    ],
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
  ])('%s needs its act', (_, record, by) => {
    expect(isGiven(record, by)).toBe(true);
    expect(isGiven(record)).toBe(false);
    expect(isGiven(record, { ...by, operation: 'leave_group' })).toBe(false);
  });

  test('must match the act', () => {
    const declined = act('approve_decision', { decision: 'declined' });
    expect(isGiven({ approvals: [{ to: ben, decision: 'approved' }] }, declined)).toBe(false);
    const stances = [{ option: 1, stance: 'works' }];
    const other = act('take_stance', { stances: [{ option: 1, stance: 'doesnt_work' }] });
    expect(isGiven({ people: [{ to: ben, stances }] }, other)).toBe(false);
    expect(isGiven({ people: [{ to: ben, stances: [null] }] }, other)).toBe(false);
    // Each stance counts separately.
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
    const broken = { sides: [{ address: ben, settled: 'broken' }] };
    expect(isGiven(broken, act('settle_agreement', { outcome: 'kept' }))).toBe(false);
    const second = [{ option: 2, stance: 'works' }];
    expect(isGiven({ people: [{ to: ben, stances: second }] }, act('take_stance', { stances }))).toBe(false);
    const chose = { people: [{ to: ben, stances, chose: 2 }] };
    const tookIt = act('take_stance', { stances });
    expect(isGiven(chose, tookIt, act('choose_option', { option: 1 }))).toBe(false);
    expect(isGiven(chose, act('choose_option', { option: 2 }))).toBe(false);
    expect(isGiven(chose, tookIt, act('choose_option', { option: 2 }))).toBe(true);
    const yes = { approvals: [{ to: ben, decision: 'approved', by: 'ai' }] };
    expect(isGiven(yes, act('approve_decision', { decision: 'approved' }))).toBe(false);
  });

  test.each<[string, object, object?]>([
    ['decision', { decision: 'declined' }],
    ['answer', { answer: 'Saturday' }],
    ['answer that they gave none of', { answer: undefined }],
    ['note', { note: 'Never' }],
    ['note that they gave none of', { note: undefined }],
    ['giver', {}, { byAi: true }],
  ])('about an ask does not match another %s', (_, request, more = {}) => {
    const answer = { decision: 'approved', answer: 'Friday', note: 'Fine' };
    const record = { answers: [{ to: ben, ...answer, by: 'person' }] };
    const given = { ...act('reply_approval', { ...answer, ...request }), ...more };
    expect(isGiven(record, given)).toBe(false);
  });

  test('about a question matches that question only, and compares choices as normalized text', () => {
    const given = (id: number, answer: string) =>
      act('answer_decision', {
        answers: [
          { question_id: 9, answer: 'x' },
          { question_id: id, answer },
        ],
      });
    expect(isGiven(answered('Soup'), given(2, 'Soup'))).toBe(false);
    expect(isGiven(answered('Soup'), act('settle_clash', { question_id: 2, answer: 'Soup' }))).toBe(false);
    expect(isGiven(answered('Soup'), act('settle_clash', { question_id: 1, answer: 'Pizza' }))).toBe(false);
    expect(isGiven(answered('Soup'), given(1, '\uff33oup  '))).toBe(true);
    expect(isGiven(answered('Hot  soup'), given(1, 'hot soup'))).toBe(true);
    const other = { ...answered('09:00'), decision: { questions: [{ id: 1, kind: 'when' }] } };
    expect(isGiven(other, given(1, '9 o’clock'))).toBe(true);
    expect(isGiven(other, given(2, '09:00'))).toBe(false);
    const another = { ...answered('Soup'), decision: { questions: [{ id: 2, kind: 'choice' }] } };
    expect(isGiven(another, given(1, 'Pizza'))).toBe(true);
  });

  test('about something to bring matches what they named or approved', () => {
    const bring = (version: number) => ({ outcome: { version, bring: [{ to: ben, what: 'salad' }] } });
    const answer = (what: string) => act('answer_decision', { answers: [{ question_id: 2, answer: what }] });
    expect(isGiven(bring(1), answer('soup'))).toBe(false);
    expect(isGiven(bring(1), { ...answer('salad'), operation: 'settle_clash' })).toBe(false);
    expect(isGiven(bring(1), act('approve_decision', { decision: 'declined', version: 1 }))).toBe(false);
    expect(isGiven(bring(1), act('decline_plan', { decision: 'approved', version: 1 }))).toBe(false);
  });

  test('must not be assumed by the other home: nothing is shared with it', () => {
    const soup = act('answer_decision', { answers: [{ question_id: 1, answer: 'Soup' }] });
    expect(isGiven(answered('Soup', { assumed: true }), soup)).toBe(false);
    const salad = act('answer_decision', { answers: [{ question_id: 2, answer: 'salad' }] });
    expect(isGiven({ outcome: { bring: [{ to: ben, what: 'salad', assumed: true }] } }, salad)).toBe(false);
  });

  test('is refused in an unknown field, and needs no act where nothing is stated', () => {
    expect(isGiven({ votes: [{ to: ben }] }, act('approve_decision'))).toBe(false);
    expect(isGiven({ people: [{ to: ben, stances: [] }] })).toBe(true);
    expect(isGiven({ meeting: { booked_by: { address: ben } }, acts: [{ type: 'act', from: ben }] })).toBe(
      true,
    );
    expect(isGiven({ approvals: [{ to: 'ada@there.example', decision: 'approved', name: ben }] })).toBe(true);
    for (const name of ['name', 'title', 'terms', 'summary', 'where', 'place', 'what', 'answer', 'prompt'])
      expect([name, isGiven({ plan: { [name]: ben } })]).toEqual([name, true]);
    for (const name of ['note', 'label']) expect([name, isGiven({ [name]: ben })]).toEqual([name, true]);
    expect(isGiven({ organizer: ben })).toBe(false);
    expect(isGiven({ people: [{ to: ben, stances: [], chose: 1 }] })).toBe(false);
    expect(isGiven({ people: [{ to: ben }] })).toBe(true);
    expect(isGiven({ sides: [{ to: `by ${ben}` }, { to: `${'x'.repeat(300)}@here.example` }] })).toBe(true);
    expect(isGiven({ sides: [{ to: `${ben}.org` }] })).toBe(true);
    expect(isGiven({ plan: null, at: 3, people: [null, ben] })).toBe(true);
  });
});

describe('a record of another home', () => {
  const home = 'there.example';
  const isGood = (record: object, verdict = Verdict.VALID, reference = `r:${home}:agr_1`) =>
    isSigned({ checkRecord: async () => ({ verdict }) as never }, record as never, home, reference);

  test.each(['agreement', 'ask', 'decision', 'meeting', 'plan'])('must be about its own %s', async (kind) => {
    const record = { home, [kind]: { id: 'agr_1' } };
    expect(await isGood(record)).toBe(true);
    expect(await isGood(record, Verdict.INVALID)).toBe(false);
    expect(isKeysAway(await isGood(record, Verdict.UNKNOWN).catch((error: unknown) => error))).toBe(true);
    expect(await isGood({ home, [kind]: { id: 'agr_2' } })).toBe(false);
    expect(await isGood({ ...record, home: 'else.example' })).toBe(false);
    expect(await isGood(record, Verdict.VALID, 'r:else.example:agr_1')).toBe(false);
  });

  test('is deferred only while the keys are unavailable', () => {
    const code = 'home_unreachable';
    expect(isKeysAway(new HearthError('unavailable', 'away', { code }))).toBe(true);
    expect(isKeysAway(new HearthError('unavailable', 'away'))).toBe(false);
    expect(isKeysAway(new HearthError('forbidden', 'no', { code }))).toBe(false);
    expect(isKeysAway(new Error('away'))).toBe(false);
  });

  test('is refused without its object, before any check of the signature', async () => {
    expect(await isGood({ home, group: { id: 'agr_1' } }, Verdict.UNKNOWN)).toBe(false);
    expect(await isGood({ home, plan: 'agr_1' }, Verdict.UNKNOWN)).toBe(false);
  });
});
