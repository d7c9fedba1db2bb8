import { homeRoutes, mcpRoutes, oauthRoutes, readLimits, sizesOf } from '@hearth/limits';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { allProbes } from '../../../bench/lib/hostile/all-probes.ts';
import { probesOf } from '../../../bench/lib/hostile/stranger.ts';
import { readOperations } from '../src/operations/module.ts';
import { startTestGateway } from './support/test-gateway.ts';

/* The bench `hostile` must measure every route: a new route without a probe fails here. */

const mounted = new Set<string>();
const { prototype } = express.Router as unknown as { prototype: { route(path: string): unknown } };
const { route } = prototype;
const probes = allProbes({
  bounds: sizesOf(readLimits(undefined, { homeName: 'localhost' })),
  visitor: { cookie: 'a=b', csrf: 'x' },
  client: 'x',
  home: probesOf({
    ...{ names: ['a.example', 'b.example', 'c.example'], absent: 'd.example' },
    ...{ home: 'home.example', known: '@robin' },
  }),
});

beforeAll(async () => {
  prototype.route = function noted(path: string) {
    mounted.add(path);
    return route.call(this, path);
  };
  const gateway = await startTestGateway({ env: { HEARTH_COMMONS: 'public' } });
  await gateway.stop();
});
afterAll(() => {
  prototype.route = route;
});

const measured = new Set(
  probes.map(({ make }) => {
    const { method, path } = make();
    return `${method} ${path.split('?')[0]}`;
  }),
);

/** Whether a probe covers the route. @param path with parameters as express or a .proto writes them */
function isMeasured(method: string, path: string): boolean {
  const pattern = path
    .replace(/[.]/g, '\\.')
    .replace(/:\w+|\{\w+\}/g, '[^/]+')
    .replace(/\*\w+/g, '.+');
  const leads = new RegExp(`^${method} ${pattern}$`);
  return [...measured].some((each) => leads.test(each));
}

test('every page, document and other route that the gateway serves', () => {
  expect(mounted.size).toBeGreaterThan(80);
  expect([...mounted].filter((path) => !isMeasured('(?:GET|POST)', path))).toEqual([]);
});

test('every declared operation', () => {
  const bindings = readOperations().flatMap(({ bindings: each }) => each);
  expect(bindings.length).toBeGreaterThan(100);
  expect(bindings.filter(({ method, template }) => !isMeasured(method, template))).toEqual([]);
});

test('every route of programs, and of other homes, by each of its methods', () => {
  const below = Object.values(homeRoutes).map((each) => ({ ...each, path: `/federation${each.path}` }));
  const all = [...Object.values(oauthRoutes), ...Object.values(mcpRoutes), ...below];
  const missing = all.flatMap(({ methods, path }) =>
    methods
      .filter((method) => method !== 'HEAD' && !isMeasured(method, path))
      .map((method) => `${method} ${path}`),
  );
  expect(missing).toEqual([]);
});
