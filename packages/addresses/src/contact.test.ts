import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { containsContact } from './contact.ts';

describe('a contact', () => {
  test.each([
    'http://x',
    'see https://example.org/a',
    'HTTPS://EXAMPLE.ORG',
    'ftp://files',
    'hxxp://bad',
    'www.foo',
    'Www.Foo.bar',
    'example.com',
    'example.com/x',
    'Example.Com',
    'EXAMPLE.COM',
    'go to sub.example.co.uk now',
    'my-site.io',
    'bit.ly/abc',
    'site.unknowntld/path',
    'site.unknowntld:8080',
    'x.xyz',
    'münchen.de',
    'foo.xn--p1ai',
    'a@b.c',
    'write to ana@home.example!',
    '@name',
    'ask @ana.ai-helper',
    '(@ana)',
    'ana@localhost:8081',
    'mailto:ana',
    'tel:+491234',
    'javascript:alert',
    'data:text/html',
    'ｅｘａｍｐｌｅ．ｃｏｍ',
    '＠ana',
    'example。com',
    'exam\u200bple.c\u200bom',
    '@\u200bana',
    '10.0.0.1:80',
    '192.168.0.1/x',
    'end.example.com.',
    'x.app?y=1',
    't.me/ana',
    'example.test',
  ])('is in %j', (text) => {
    expect(containsContact(text)).toBe(true);
  });

  test.each([
    '',
    'e.g. cats and dogs.',
    'v1.2',
    'version 1.2.3',
    'i.e. this',
    'at 5 p.m. or 10 a.m.',
    'I like cats.It is so.',
    'U.S.A.',
    'Mr. Smith',
    'R&D, Q&A',
    'meet @ noon',
    '3.14 km',
    'Node.js and TypeScript',
    'Node.js/Deno',
    'report.pdf',
    'and/or',
    '12:30',
    'wait... what?',
    'notes: tea',
    'C++, C#',
    '50 % off',
    'README.md',
    'a.b',
    'Hallo.Welt',
    'data: none',
    'Good morning.Today we walk',
    'No. 5',
    'https',
    'price: 3,50',
    '10.0.0.1',
    'two\nlines.\nthree',
    'Ph.D.',
    'hello.There',
  ])('is not in %j', (text) => {
    expect(containsContact(text)).toBe(false);
  });

  test('is found anywhere among other words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 6 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(
        words,
        words,
        fc.constantFrom('http://x.y', 'a@b.c', '@name', 'example.com/x', 'www.x'),
        (before, after, contact) => {
          expect(containsContact(`${before} ${contact} ${after}`)).toBe(true);
          expect(containsContact(`${before}, ${after}.`)).toBe(false);
        },
      ),
    );
  });

  test('is found in linear time', () => {
    for (const piece of ['a', 'a.', '.', 'a-', '@', 'http:', 'aa.b', '1.', 'co.']) {
      const text = piece.repeat(40_000 / piece.length);
      const began = process.cpuUsage();
      containsContact(text);
      expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
    }
  });
});
