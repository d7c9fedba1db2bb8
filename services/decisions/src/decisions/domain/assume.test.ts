import { expect, test } from '@jest/globals';
import { answerFromNotes } from './assume.ts';

const question = (kind: 'bring' | 'text') => ({ id: 1, kind, prompt: '', options: [] });

test('a note becomes the answer in its words: one line, at most as long as an answer', () => {
  const notes = [
    { about: 'food', text: ' \n ' },
    { about: 'food', text: ' Soup,\n\n and bread ' },
  ];
  expect(answerFromNotes(question('bring'), notes, [])).toBe('Soup, and bread');
  const long = answerFromNotes(question('text'), [{ about: '&club', text: 'word '.repeat(400) }], ['&club']);
  expect([...String(long)].length).toBeLessThanOrEqual(500);
  expect(answerFromNotes(question('text'), notes.slice(0, 1), [])).toBeNull();
});
