import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { tokensOf } from '../../scripts/law/imports.ts';
import { samples } from './samples.ts';

const folder = new URL('../src/assets/', import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));

/** Two words with a space between them, a word at the end of a sentence, or a word like "Copied". */
const looksLikeText = /\p{L}[\p{L}’']*,? \p{L}|^ \p{L}{2,}|^\p{Lu}.*[.!?…]$|^\p{Lu}\p{Ll}+ ?$/u;

/** Before a selector, or the message of an error that the script catches itself. */
const noText = ['querySelector', 'querySelectorAll', 'closest', 'matches', 'Error'];

/** Literals of a script that a person could read. */
function textsIn(source: string): string[] {
  const tokens = tokensOf(source);
  return tokens.flatMap(({ kind, text }, index) => {
    const isText = (kind === 'string' || kind === 'template') && looksLikeText.test(text);
    const isArgument = tokens[index - 1]?.text === '(' && noText.includes(tokens[index - 2]?.text ?? '');
    return isText && !isArgument ? [text] : [];
  });
}

describe('a page script has no text of its own', () => {
  test.each(scripts)('%s', (name) => {
    expect(textsIn(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  });

  test.each([
    [`p.textContent = 'You are offline';`, 'You are offline'],
    [`p.textContent = 'Copied.';`, 'Copied.'],
    [`p.title = 'Valid';`, 'Valid'],
    ['p.textContent = `Asked by $' + '{name}`;', 'Asked by '],
    ['p.textContent = `$' + '{name} has answered`;', ' has answered'],
    [`p.querySelector('a').title = 'Copy it';`, 'Copy it'],
  ])('detects %s', (source, text) => {
    expect(textsIn(source)).toEqual([text]);
  });

  test.each([`new Error('no such page')`, `querySelector('a span')`, `closest('.tick, .pick')`])(
    'which is not: %s',
    (source) => {
      expect(textsIn(source)).toEqual([]);
    },
  );
});

test('the receipt pages have a text for every fault that a script finds', () => {
  const found = ['verify.js', 'receipt.js'].flatMap((name) =>
    [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(
        /Problem\('(\w+)'\)|'(?:invalid|revoked|elsewhere)', '(\w+)'|'(no_keys)' : '(insecure)'/g,
      ),
    ].flatMap(([, ...codes]) => codes.filter((code) => code !== undefined)),
  );
  const { page } = samples().find(({ name }) => name === 'receipt-check')!;
  const worded = [...page.matchAll(/data-word="fault\.(\w+)"/g)].map(([, code]) => code!);
  expect([...new Set(found)].sort()).toEqual(worded.sort());
  // Pages travel compressed.
  const bare = page.replace(/<template data-words>.*?<\/template>/s, '');
  expect(gzipSync(page).byteLength - gzipSync(bare).byteLength).toBeLessThan(2_000);
});
