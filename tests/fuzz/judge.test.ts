import { describe, expect, test } from '@jest/globals';
import { createJudge } from './judge.ts';
import { routes } from './requests.ts';

const route = routes.find(({ id }) => id === 'whoami')!;
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const judge = createJudge({
  paths: {
    '/me': {
      get: {
        responses: {
          200: content({ $ref: '#/components/schemas/Me' }),
          404: { $ref: '#/components/responses/NotFound' },
          304: { description: 'There already.' },
        },
      },
    },
  },
  components: {
    responses: {
      NotFound: content({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }),
    },
    schemas: {
      Me: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
      },
    },
  },
});
const verdict = (status: number, body: object | string, type = 'application/json; charset=utf-8') =>
  judge(route, { status, type, text: typeof body === 'string' ? body : JSON.stringify(body) });

describe('the judge of answers', () => {
  test.each<[number, object | string]>([
    [200, { id: 'a' }],
    [200, { id: 'a', at: '2026-01-02T03:04:05.678Z' }],
    [404, { error: 'no such thing' }],
    [304, ''],
  ])('accepts %j %j', (status, body) => {
    expect(verdict(status, body)).toBeUndefined();
  });

  test.each<[number, object | string, string]>([
    [500, { error: 'x' }, 'the home failed with 500'],
    [503, { error: 'x' }, 'the home failed with 503'],
    [403, { error: 'x' }, 'the status 403 is not declared'],
    [501, { error: 'x', code: 'not_built' }, 'the status 501 is not declared'],
    [404, {}, "must have required property 'error'"],
    [200, {}, "must have required property 'id'"],
    [200, { id: 1 }, 'must be string'],
    [200, { id: 'a', more: 1 }, 'must NOT have additional properties'],
    [200, { id: 'a', at: '2026-01-02' }, 'must match format "date-time"'],
    [304, { id: 'a' }, '304 has no body by its declaration'],
  ])('refuses %j %j', (status, body, words) => {
    expect(verdict(status, body)).toContain(words);
  });

  test('refuses malformed JSON', () => {
    expect(verdict(200, '<html>', 'text/html')).toContain('not JSON');
    expect(verdict(200, '{')).toContain('not JSON');
  });
});
