import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentSecurityPolicy, pageHeaders } from './headers.ts';

describe('the policy of a page', () => {
  test('lets it send forms only to this home', () => {
    expect(contentSecurityPolicy()).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  test.each([
    ['https://app.example/callback?x=1', "form-action 'self' https://app.example;"],
    ['http://127.0.0.1:4242/cb', "form-action 'self' http://127.0.0.1:4242;"],
    ['http://[::1]:4242/cb', "form-action 'self' http:;"],
    ['com.example.app:/cb', "form-action 'self' com.example.app:;"],
    ['javascript:alert(1)', "form-action 'self';"],
    ['data:text/html,x', "form-action 'self';"],
    ['nothing', "form-action 'self';"],
  ])('and on to where a form ends: %s', (redirectUri, directive) => {
    expect(contentSecurityPolicy(redirectUri)).toContain(directive);
  });

  test('is not widened by any address', () => {
    const address = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.string().map((text) => `https://${text}`),
    );
    fc.assert(
      fc.property(address, (redirectUri) => {
        const directives = contentSecurityPolicy(redirectUri).split('; ');
        expect(directives).toHaveLength(8);
        expect(directives[5]).toMatch(/^form-action 'self'( [a-z][a-z0-9+.-]*:(\/\/[a-z0-9.-]+(:\d+)?)?)?$/);
      }),
    );
  });
});

test('a page is not cached, not framed, and sends no referrer', () => {
  const headers = pageHeaders();
  const byName = Object.fromEntries(
    headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]]] : [])),
  );
  expect(byName).toMatchObject({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
  });
});
