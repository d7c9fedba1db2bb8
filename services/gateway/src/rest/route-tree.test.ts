import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTemplate } from '../operations/module.ts';
import { RouteTree } from './route-tree.ts';

function treeOf(...routes: [method: string, template: string][]): RouteTree<string> {
  const tree = new RouteTree<string>();
  for (const [method, template] of routes) tree.add(method, parseTemplate(template), `${method} ${template}`);
  return tree;
}

const tree = treeOf(
  ['GET', '/v0/messages'],
  ['POST', '/v0/messages'],
  ['POST', '/v0/messages/read'],
  ['GET', '/v0/messages/{id}'],
  ['GET', '/v0/messages/{id}.ics'],
  ['POST', '/v0/messages/{id}/reply'],
  ['GET', '/v0/cards/{address}'],
  ['GET', '/v0/ais/me/events'],
  ['POST', '/v0/ais/{id}/subscriptions'],
  ['DELETE', '/v0/ais/{id}/subscriptions/{sub}'],
);

function found(method: string, path: string): [string, ...string[]] | undefined {
  const node = tree.find(path);
  const route = node?.routes.get(method);
  return node === undefined || route === undefined ? undefined : [route, ...node.values];
}

describe('a route is found by its path', () => {
  test.each([
    ['GET', '/v0/messages', ['GET /v0/messages']],
    ['GET', '/v0/messages/', ['GET /v0/messages']],
    ['POST', '/v0/messages/read', ['POST /v0/messages/read']],
    ['GET', '/v0/messages/msg_1', ['GET /v0/messages/{id}', 'msg_1']],
    ['GET', '/v0/messages/msg_1.ics', ['GET /v0/messages/{id}.ics', 'msg_1']],
    ['GET', '/v0/messages/.ics', ['GET /v0/messages/{id}', '.ics']],
    ['GET', '/v0/messages/a.icsx', ['GET /v0/messages/{id}', 'a.icsx']],
    ['POST', '/v0/messages/msg_1/reply', ['POST /v0/messages/{id}/reply', 'msg_1']],
    ['GET', '/v0/cards/@robin', ['GET /v0/cards/{address}', '@robin']],
    ['GET', '/v0/cards/@free-x.ai-y', ['GET /v0/cards/{address}', '@free-x.ai-y']],
    ['GET', '/v0/cards/&group', ['GET /v0/cards/{address}', '&group']],
    ['GET', '/v0/cards/robin@home.example', ['GET /v0/cards/{address}', 'robin@home.example']],
    ['GET', '/v0/cards/%40robin%2Fx', ['GET /v0/cards/{address}', '@robin/x']],
    ['GET', '/v0/cards/%26gr%C3%BC%C3%9Fe', ['GET /v0/cards/{address}', '&grüße']],
    ['GET', '/v0/m%65ssages', ['GET /v0/messages']],
    ['GET', '/v0/ais/me/events', ['GET /v0/ais/me/events']],
    // `me` matches a fixed path, and falls back to the parameter where that path ends.
    ['POST', '/v0/ais/me/subscriptions', ['POST /v0/ais/{id}/subscriptions', 'me']],
    ['DELETE', '/v0/ais/a/subscriptions/b', ['DELETE /v0/ais/{id}/subscriptions/{sub}', 'a', 'b']],
  ])('%s %s', (method, path, expected) => {
    expect(found(method, path)).toEqual(expected);
  });

  test.each([
    '/v0',
    '/',
    '',
    '/v0/message',
    '/v0/messages//reply',
    '/v0/cards',
    '/v0/cards/',
    '/v0/cards/a/b',
    `/v0/messages/${'a/'.repeat(5_000)}`,
    '/V0/messages',
  ])('nothing is at %j', (path) => {
    expect(tree.find(path)).toBeUndefined();
  });

  test('fixed text takes precedence over a parameter, whatever the method', () => {
    expect([...(tree.find('/v0/messages/read')?.routes.keys() ?? [])]).toEqual(['POST']);
  });

  test.each(['/v0/cards/%', '/v0/cards/%zz', '/v0/cards/%ff', '/v0/cards/%ED%A0%80'])(
    '%s is malformed',
    (path) => {
      expect(() => tree.find(path)).toThrow('malformed percent-encoding');
    },
  );

  test('two operations cannot share a route', () => {
    expect(() => treeOf(['GET', '/v0/a/{id}'], ['GET', '/v0/a/{other}'])).toThrow('two operations want');
  });

  test('any encoded value is decoded unchanged', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(value, (text) => {
        expect(found('GET', `/v0/cards/${encodeURIComponent(text)}`)).toEqual([
          'GET /v0/cards/{address}',
          text,
        ]);
      }),
    );
  });

  test('any path finds a route, finds none, or is a bad request', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string(), (path, more) => {
        try {
          tree.find(`${path}/${more}`);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'bad_request' });
        }
      }),
    );
  });
});

describe('a template', () => {
  test.each(['v0/a', '', '/v0/{a=**}', '/v0/a:verb', '/v0/{A}', '/v0//a', '/v0/x{id}'])(
    '%j is refused',
    (template) => {
      expect(() => parseTemplate(template)).toThrow(/^the path /);
    },
  );
});

test.each([
  ['/v0/message', '/v0/messages'],
  ['/v0/mesages/raed/', '/v0/messages/read'],
  ['/v1/card/@robin', '/v0/cards/{address}'],
  ['/v0/ais/x/subscription/%zz', '/v0/ais/{id}/subscriptions/{sub}'],
  ['/v0', undefined],
  ['/v0/nowhere', undefined],
  ['/v0/cards//', undefined],
  [`/${'v0/'.repeat(5_000)}`, undefined],
])('the path nearest to %s is %s', (path, template) => {
  expect(tree.nearest(path)).toBe(template);
});
