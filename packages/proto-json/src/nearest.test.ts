import { describe, expect, test } from '@jest/globals';
import { nearest } from './nearest.ts';

const fields = ['to', 'text', 'title', 'thread', 'reply_to', 'data', 'request_kind', 'request_id'];

describe('the nearest word', () => {
  test.each([
    ['txet', 'text'],
    ['tex', 'text'],
    ['replyTo', 'reply_to'],
    ['Reply-To', 'reply_to'],
    ['requestId', 'request_id'],
    ['threads', 'thread'],
    ['tittle', 'title'],
  ])('for %s is %s', (word, field) => {
    expect(nearest(word, fields)).toBe(field);
  });

  test.each(['', 'colour', 'subject', 'x'.repeat(1_000_000)])('is none for a word far from all', (word) => {
    expect(nearest(word, fields)).toBeNull();
  });

  test('is the first of equally near words', () => {
    expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
  });

  test('is none for an empty list', () => {
    expect(nearest('text', [])).toBeNull();
  });
});
