import { describe, expect, test } from '@jest/globals';
import { asksForPage } from './asks-for-page.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a page is requested', () => {
  test.each(['/nowhere', '/nowhere?x=1', '/v0x', '/oauthors', '/'])('by a browser at %s', (url) => {
    expect(asksForPage({ url, headers: { accept: browser } })).toBe(true);
  });

  test.each([['/v0', '/v0/nowhere', '/v0?x=1', '/.well-known/x', '/oauth/x', '/mcp']])(
    'by nobody where programs ask',
    (...urls) => {
      for (const url of urls)
        expect([url, asksForPage({ url, headers: { accept: browser } })]).toEqual([url, false]);
    },
  );

  test.each([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/*', false],
    ['text/html;q=0', false],
    ['text/html; q=0.000', false],
    ['text/html; q=0.1', true],
    ['application/json, TEXT/HTML', true],
    ['text/htmlx', false],
  ])('by who accepts %s: %s', (accept, expected) => {
    expect(asksForPage({ url: '/nowhere', headers: { accept } })).toBe(expected);
  });
});
