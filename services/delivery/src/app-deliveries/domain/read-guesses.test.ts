import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readGuesses } from './read-guesses.ts';

const questions = [
  { id: 1, kind: 'when', options: ['2026-03-01T19:00', '2026-03-02T19:00'] },
  { id: 2, kind: 'choice', options: ['Pizza', 'Soup'] },
  { id: 3, kind: 'bring', options: [] },
  { id: 4, kind: 'text', options: [] },
  { id: 5, kind: 'else', options: [] },
];
const readAll = (guesses: unknown) => readGuesses(JSON.stringify({ guesses }), questions);
const read = (question_id: unknown, answer: unknown, reason: unknown = 'they said so') =>
  readAll([{ question_id, answer, reason }]).guesses;

describe('a guess is accepted', () => {
  test.each<[number, unknown, unknown?]>([
    [1, ['2026-03-01T19:00']],
    [1, []],
    [2, 'Soup'],
    [3, '  a cake\n', 'a cake'],
    [4, 'whatever they like'],
  ])('to question %i with %j', (id, answer, expected = answer) => {
    expect(read(id, answer)).toEqual([{ questionId: id, answer: expected, reason: 'they said so' }]);
  });

  test('without a reason, and with a long reason cut short', () => {
    expect(read(4, 'yes', 7)).toMatchObject([{ reason: '' }]);
    expect([...read(4, 'yes', 'a'.repeat(500))[0]!.reason].length).toBeLessThanOrEqual(141);
  });

  test('once for each question', () => {
    const guesses = [
      { question_id: 4, answer: true },
      { question_id: 4, answer: 'yes' },
      { question_id: 4, answer: 'no' },
    ];
    expect(readAll(guesses)).toMatchObject({
      guesses: [{ questionId: 4, answer: 'yes' }],
      dropped: [
        'guesses[0].answer: must be a text of 1 to 500 characters',
        'guesses[2].question_id: was guessed before',
      ],
    });
  });
});

describe('a guess is dropped', () => {
  test.each<[unknown, unknown]>([
    [9, 'yes'],
    ['4', 'yes'],
    [null, 'yes'],
    [1, '2026-03-01T19:00'],
    [1, ['2026-03-09T19:00']],
    [2, 'soup'],
    [2, ['Soup']],
    [3, ''],
    [3, 'a'.repeat(501)],
    [3, 5],
    [4, true],
    [4, null],
    [5, 'anything'],
  ])('of question %j with %j', (id, answer) => {
    expect(read(id, answer)).toEqual([]);
    expect(readAll([{ question_id: id, answer }]).dropped).toEqual([
      expect.stringMatching(/^guesses\[0\]\.(?:question_id|answer): must be /),
    ]);
  });

  test.each(['', 'null', '[]', '{"guesses":{}}', '{"guesses":[null,1,[]]}', '<html>', '"x"'])(
    'with all of %j',
    (body) => {
      const { guesses, dropped } = readGuesses(body, questions);
      expect([guesses, dropped.length > 0]).toEqual([[], true]);
    },
  );
});

test('an accepted guess answers a question that was asked, in its kind, whatever the app sends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ question_id: fc.integer({ min: 0, max: 9 }), answer: fc.jsonValue() })),
      (guesses) => {
        const { guesses: counted, dropped } = readAll(guesses);
        expect(counted.length + dropped.length).toBe(Math.min(guesses.length, counted.length + 20));
        const ids = counted.map(({ questionId }) => questionId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { questionId, answer } of counted) {
          const kind = questions.find(({ id }) => id === questionId)!.kind;
          const type = Array.isArray(answer) ? 'array' : typeof answer;
          expect([kind, type]).toEqual([kind, kind === 'when' ? 'array' : 'string']);
        }
      },
    ),
  );
});
