import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readGuesses } from './read-guesses.ts';

const questions = [
  { id: 1, kind: 'when', choices: ['2026-03-01T19:00', '2026-03-02T19:00'] },
  { id: 2, kind: 'choice', choices: ['Pizza', 'Soup'] },
  { id: 3, kind: 'bring', choices: [] },
  { id: 4, kind: 'yes_no', choices: [] },
  { id: 5, kind: 'number', choices: [] },
  { id: 6, kind: 'date', choices: [] },
  { id: 7, kind: 'text', choices: [] },
  { id: 8, kind: 'else', choices: [] },
];
const read = (question_id: unknown, answer: unknown, reason: unknown = 'they said so') =>
  readGuesses(JSON.stringify({ guesses: [{ question_id, answer, reason }] }), questions);

describe('a guess counts', () => {
  test.each<[number, unknown, unknown?]>([
    [1, ['2026-03-01T19:00']],
    [1, []],
    [2, 'Soup'],
    [3, '  a cake\n', 'a cake'],
    [4, false],
    [5, 2.5],
    [6, '2026-03-01'],
    [6, '2026-03-01T19:00:00Z'],
    [7, 'whatever they like'],
  ])('to question %i with %j', (id, answer, expected = answer) => {
    expect(read(id, answer)).toEqual([{ questionId: id, answer: expected, reason: 'they said so' }]);
  });

  test('without a reason, and with the beginning of a long one', () => {
    expect(read(4, true, 7)).toMatchObject([{ reason: '' }]);
    expect([...read(4, true, 'a'.repeat(500))[0]!.reason].length).toBeLessThanOrEqual(141);
  });

  test('once for each question', () => {
    const guesses = [
      { question_id: 4, answer: 'yes' },
      { question_id: 4, answer: true },
      { question_id: 4, answer: false },
    ];
    expect(readGuesses(JSON.stringify({ guesses }), questions)).toMatchObject([
      { questionId: 4, answer: true },
    ]);
  });
});

describe('a guess is dropped', () => {
  test.each<[unknown, unknown]>([
    [9, true],
    ['4', true],
    [null, true],
    [1, '2026-03-01T19:00'],
    [1, ['2026-03-09T19:00']],
    [2, 'soup'],
    [2, ['Soup']],
    [3, ''],
    [3, 'a'.repeat(501)],
    [3, 5],
    [4, 'true'],
    [4, 1],
    [5, '2'],
    [5, null],
    [6, 'tomorrow'],
    [6, '2026-13-41'],
    [7, true],
    [8, 'anything'],
  ])('of question %j with %j', (id, answer) => {
    expect(read(id, answer)).toEqual([]);
  });

  test.each(['', 'null', '[]', '{"guesses":{}}', '{"guesses":[null,1,[]]}', '<html>', '"x"'])(
    'with all of %j',
    (body) => {
      expect(readGuesses(body, questions)).toEqual([]);
    },
  );
});

test('whatever an app says, what counts was asked and is of its kind', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ question_id: fc.integer({ min: 0, max: 9 }), answer: fc.jsonValue() })),
      (guesses) => {
        const counted = readGuesses(JSON.stringify({ guesses }), questions);
        const ids = counted.map(({ questionId }) => questionId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { questionId, answer } of counted) {
          const kind = questions.find(({ id }) => id === questionId)!.kind;
          const type = Array.isArray(answer) ? 'array' : typeof answer;
          expect([kind, type]).toEqual([
            kind,
            ({ when: 'array', yes_no: 'boolean', number: 'number' } as Record<string, string>)[kind] ??
              'string',
          ]);
        }
      },
    ),
  );
});
