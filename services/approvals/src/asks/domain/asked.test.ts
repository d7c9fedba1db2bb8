import { readFileSync } from 'node:fs';
import { digest } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AskedThing,
  answerProblem,
  askedThing,
  checkDigest,
  checkQuestion,
  expiryOf,
  namedIn,
} from './asked.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../../../../interop/vectors/protocol/asks.json', import.meta.url), 'utf8'),
);
const now = new Date('2026-03-01T12:00:00.000Z');
const days = { usual: 7, most: 30 };
const after = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 86_400_000;

describe('the content of an ask', () => {
  const thing = {
    title: 'May I?',
    details: null,
    choices: [],
    free_text: false,
    preview: null,
    item_ref: null,
  };

  test('holds the given fields and nothing else', () => {
    expect(askedThing(thing, ['@ada'])).toEqual({ title: 'May I?', free_text: false, to: ['@ada'] });
    const whole = { ...thing, details: 'd', choices: ['a', 'b'], preview: 'p', item_ref: 'i' };
    expect(askedThing(whole, [])).toEqual({
      title: 'May I?',
      details: 'd',
      choices: ['a', 'b'],
      free_text: false,
      preview: 'p',
      item_ref: 'i',
      to: [],
    });
  });

  test.each(vectors.cases as { name: string; ask: Partial<AskedThing>; canonical: string; digest: string }[])(
    'has the digest from the vectors: $name',
    ({ ask, canonical, digest: expected }) => {
      const { details = null, preview = null, item_ref = null } = ask;
      const given = { ...thing, ...ask, choices: [...(ask.choices ?? [])], details, preview, item_ref };
      expect(digest(askedThing(given, JSON.parse(canonical).to))).toBe(expected);
    },
  );

  test('deduplicates the recipients in either field', () => {
    expect(namedIn({ to: ['@a'], people: [] })).toEqual(['@a']);
    expect(namedIn({ to: [], people: ['@a'] })).toEqual(['@a']);
    expect(() => namedIn({ to: ['@a'], people: ['@a'] })).toThrow('older name');
  });

  test('asks a question with choices or a question in words, not both', () => {
    expect(() => checkQuestion(['a', 'b'], false)).not.toThrow();
    expect(() => checkQuestion([], true)).not.toThrow();
    expect(() => checkQuestion(['a', 'b'], true)).toThrow('not both');
    expect(() => checkQuestion(['a', 'A'], false)).toThrow('differ');
    expect(() => checkQuestion(['a', ''], false)).toThrow('words');
  });
});

describe('when an ask expires', () => {
  test('after a week by default, after thirty days at most', () => {
    expect(expiryOf(null, now, days)).toEqual(after(7 * dayMs));
    expect(expiryOf(after(1), now, days)).toEqual(after(1));
    expect(expiryOf(after(30 * dayMs), now, days)).toEqual(after(30 * dayMs));
    expect(() => expiryOf(after(30 * dayMs + 1), now, days)).toThrow('at most 30 days');
    expect(() => expiryOf(now, now, days)).toThrow('must be in the future');
    expect(expiryOf(null, now, { usual: 30, most: 5 })).toEqual(after(5 * dayMs));
  });
});

describe('an answer', () => {
  const pick = { choices: ['a', 'b'], free_text: false };
  const typed = { choices: [], free_text: true };
  const plain = { choices: [], free_text: false };

  test.each([
    ['a pick', pick, 'approved', 'a', null],
    ['no pick', pick, 'approved', undefined, 'pick one of'],
    ['an unknown option', pick, 'approved', 'c', 'exactly one of'],
    ['an unknown option with a no', pick, 'declined', 'c', 'exactly one of'],
    ['a no without a pick', pick, 'declined', undefined, null],
    ['words', typed, 'approved', 'blue', null],
    ['no text', typed, 'approved', undefined, 'type the answer'],
    ['a no without text', typed, 'declined', undefined, null],
    ['a yes', plain, 'approved', undefined, null],
    ['a yes with text', plain, 'approved', 'blue', 'not asked for'],
  ] as const)('%s', (_, ask, decision, answer, expected) => {
    const problem = answerProblem(ask, decision, answer);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem?.message).toContain(expected);
  });

  test('to a question with choices is always one of the choices', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), fc.string(), (choices, answer) => {
        const taken = answerProblem({ choices, free_text: false }, 'approved', answer) === null;
        expect(taken).toBe(choices.includes(answer));
      }),
    );
  });

  test('applies to the version of the ask that was seen', () => {
    expect(() => checkDigest('sha-256:a', undefined)).not.toThrow();
    expect(() => checkDigest('sha-256:a', 'sha-256:a')).not.toThrow();
    expect(() => checkDigest('sha-256:a', 'sha-256:b')).toThrow('not the ask that you saw');
  });
});
