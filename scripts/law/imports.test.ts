import { describe, expect, test } from '@jest/globals';
import { importsOf, tokensOf } from './imports.ts';

const read = (text: string) =>
  importsOf(tokensOf(text)).map(
    ({ specifier, line, type }) => `${line} ${specifier}${type ? ' (type)' : ''}`,
  );

describe('imports are found', () => {
  test.each([
    ["import 'a';", ['1 a']],
    ['import a from \'a\';\nimport * as b from "b";', ['1 a', '2 b']],
    ["import a, { b as c } from 'a';", ['1 a']],
    ["import {\n  a,\n  b,\n} from 'a';", ['1 a']],
    ["export { a } from 'a';\nexport * from 'b';\nexport * as c from 'c';", ['1 a', '2 b', '3 c']],
    ["const a = await import('a');\nconst b = import(`b`);", ['1 a']],
    ["import { from } from 'a';\nimport type from 'b';", ['1 a', '2 b']],
    ["let a = b / c; // 'x\nimport d from 'd';", ['2 d']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template within the code that is read.
    ["const a = /['\"`/]/g.exec(b) ?? `${c ? `'${d}` : '}'}`;\nimport e from 'e';", ['2 e']],
    [
      "/* import 'x'; */\nconst a = \"import 'y';\";\nconst b = `\nimport 'z';\n`;\nimport c from 'c';",
      ['6 c'],
    ],
    ['export const from = 1;\nexport default a;\nexport function b() {}\nimport.meta.url;', []],
    ["export type A = { from: 'a' };\nexport const b = { c: 'd' };\nexport class From {}", []],
  ])('%j', (text, found) => {
    expect(read(text)).toEqual(found);
  });

  test.each([
    ["import type { a } from 'a';", ['1 a (type)']],
    [
      "import type a from 'a';\nexport type { b } from 'b';\nexport type * from 'c';",
      ['1 a (type)', '2 b (type)', '3 c (type)'],
    ],
    ["import { type a, type b } from 'a';", ['1 a (type)']],
    ["import { type a, b } from 'a';", ['1 a']],
    ["import { type as a } from 'a';", ['1 a']],
    ["import a, { type b } from 'a';", ['1 a']],
    ["type A = typeof import('a');", ['1 a (type)']],
  ])('%j, and which are of types alone', (text, found) => {
    expect(read(text)).toEqual(found);
  });
});
