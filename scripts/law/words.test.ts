import { describe, expect, test } from '@jest/globals';
import { type Comment, tokensOf } from './imports.ts';
import { hardWordsIn } from './words.ts';

function commentsOf(code: string): Comment[] {
  const comments: Comment[] = [];
  tokensOf(code, comments);
  return comments;
}

const read = (code: string) =>
  commentsOf(code)
    .flatMap(hardWordsIn)
    .map(({ line, text }) => `${line} ${text}`);

describe('a comment is refused', () => {
  test.each([
    ['/** Who may call. */', ['1 Who may call.']],
    ['/** What a test says. */\n/** Whose word counts. */', ['1 What a test says.', '2 Whose word counts.']],
    ['/**\n * Sends it. Of two, the\n * later one.\n */', ['2 Of two, the later one.']],
    ['/**\n * What it holds,\n * and where.\n */', ['2 What it holds, and where.']],
    ['/**\n * A key.\n *\n * Whom it names.\n */', ['4 Whom it names.']],
    ['/**\n * Finds a person.\n *\n * @param one Whom to look for\n */', ['4 Whom to look for']],
    ['const a = 1; // Nobody is\nconst b = 2; // waiting for somebody.', ['1 Nobody is', '2 somebody.']],
    ['// The key of\n// somebody else.', ['2 somebody else.']],
  ])('%j', (code, found) => {
    expect(read(code)).toEqual(found);
  });
});

describe('a comment is allowed', () => {
  test.each([
    ['/** The caller, whose word counts, and what they say. */'],
    ['/**\n * The rows\n * Of a table with that name.\n */'],
    ["const a = '// Who may call';\nconst b = `/** What */`;\nconst c = /\\/\\/ Whom/;"],
    ['/** Runs as the user `nobody`. */'],
    ['test("nobody is told", () => {});'],
    ['/** Official names; Whatsoever. */'],
  ])('%j', (code) => {
    expect(read(code)).toEqual([]);
  });
});

test('lines of one comment are one, and a comment behind code stands alone', () => {
  expect(commentsOf('// a\n// b\n\n// c\nd(); // e\n// f\n/* g\n * h */')).toEqual([
    { text: ' a\n b', line: 1 },
    { text: ' c', line: 4 },
    { text: ' e', line: 5 },
    { text: ' f', line: 6 },
    { text: 'g\n h ', line: 7 },
  ]);
});
