import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { servicesModule, withNewRoutes } from './registry.mjs';

const { resolve } = createRequire(import.meta.url);
const descriptors = readFileSync(resolve('@hearth/proto/descriptors'));
const routes = readFileSync(resolve('@hearth/proto/operations'), 'utf8');

test('declared routes keep their order', () => {
  expect(withNewRoutes(routes, descriptors)).toBe(routes);
});

test('routes of a new operation are added at the end', () => {
  const known = routes.replace('GET /v0/me whoami\n', '');
  expect(withNewRoutes(known, descriptors)).toBe(`${known}GET /v0/me whoami\n`);
});

test.each([
  ['a route', '/v0/me whoami', '/v0/i whoami'],
  ['an id', '/v0/me whoami', '/v0/me who_am_i'],
  ['a method', 'GET /v0/me', 'POST /v0/me'],
  ['an operation without credentials', 'limits open', 'limits'],
])('%s with a changed declaration is refused', (_, declared, promised) => {
  expect(() => withNewRoutes(routes.replace(declared, promised), descriptors)).toThrow(promised);
});

test('services are sorted by their places, those without one last', () => {
  const names = servicesModule(descriptors).match(/(?<=^ {2})\w+(?=,$)/gm);
  expect(names?.[0]).toBe('IdentityService');
  expect(names?.slice(-2)).toEqual(['OAuthService', 'PartiesService']);
});
