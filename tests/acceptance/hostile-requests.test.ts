import { messageJson } from '@hearth/proto-json/testing';
import type { Reply, TestAi } from '@hearth/testkit/home';
import { sampled } from '@hearth/testkit/sample';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anonymous, newAis } from '../support/home.ts';
import { send } from '../support/messages.ts';
import { inputOf, operations } from '../support/operations.ts';

const requestsPerOperation = sampled(60, 200);
const together = 20;

interface Attempt {
  path: string;
  body: string | undefined;
}

/** Code points of every kind; lone surrogates cannot appear in a path or query. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1e9',
      'null',
      'true',
      '{}',
      '..',
      '%00',
      '\u0000',
      '\ud7ff',
      "' or 1=1 --",
      '$1',
      '\\',
      '*',
    ],
    ...[
      '__proto__',
      'constructor',
      '9'.repeat(400),
      'x'.repeat(2_000),
      '@',
      'me',
      `msg_${'f'.repeat(32)}`,
      'YjE',
      'YTk5',
    ],
    ...[
      '2026-02-30T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999+23:59',
      '-1000-01-01T00:00:00Z',
    ],
  ),
);

/** Field names, and occasionally an unknown one. Held requests are tested elsewhere. */
const fieldName = (id: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...inputOf(id).fields.map(({ name }) => name), 'limit') },
    { weight: 1, arbitrary: text },
  );

const queryOf = (id: string) =>
  fc
    .array(fc.tuple(fieldName(id), text), { maxLength: 4 })
    .map((pairs) => pairs.filter(([name]) => name !== 'wait'))
    .map((pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));

/** A valid body, the same with one member spoilt, any JSON, and invalid JSON. */
const bodyOf = (id: string) => {
  const good = messageJson(inputOf(id));
  const spoilt = fc
    .tuple(good, fieldName(id), fc.oneof(fc.jsonValue(), text))
    .map(([json, name, value]) => ({ ...json, [name]: value }));
  return fc.oneof(
    good.map((json) => JSON.stringify(json)),
    spoilt.map((json) => JSON.stringify(json)),
    fc.json(),
    text,
  );
};

const pathOf = (template: string, ids: readonly string[]) =>
  fc
    .oneof(text, fc.constantFrom(...ids))
    .map((value) => template.replace(/\{\w+\}/, encodeURIComponent(value)));

const attempts = (
  id: string,
  method: string,
  template: string,
  ids: readonly string[],
): fc.Arbitrary<Attempt> =>
  method === 'GET' || method === 'DELETE'
    ? fc.record({
        path: fc.tuple(pathOf(template, ids), queryOf(id)).map((parts) => parts.join('')),
        body: fc.constant(undefined),
      })
    : fc.record({ path: pathOf(template, ids), body: bodyOf(id) });

/** Checks the rules that every answer follows, whatever the request. */
function check({ path, body }: Attempt, reply: Reply, allowed: ReadonlySet<string>): void {
  const request = JSON.stringify({
    path,
    body: body?.slice(0, 500),
    status: reply.status,
    answer: reply.body,
  });
  if (reply.status >= 500) throw new Error(`the home failed: ${request}`);
  if (!allowed.has(String(reply.status))) throw new Error(`not a documented status: ${request}`);
  if (reply.status >= 400 && typeof reply.body.error !== 'string')
    throw new Error(`no error in words: ${request}`);
}

describe('the home answers any request as documented, without a fault', () => {
  let documented: Record<string, Record<string, { responses: object }>> | undefined;

  test.each(operations)('%s', async (id, method, template) => {
    documented ??= (await anonymous().get('/v0/openapi.json')).body.paths;
    const responses = documented![template.slice('/v0'.length)]![method.toLowerCase()]!.responses;
    // A spoilt path may become another path, which is not found or takes other methods.
    const allowed = new Set([...Object.keys(responses), '404', '405']);
    const [ai, other] = (await newAis(2)) as [TestAi, TestAi];
    const message = await send(other, ai, 'hello');
    const ids = [message.id, message.thread, other.address, other.id, 'me'];

    await fc.assert(
      fc.asyncProperty(
        fc.array(attempts(id, method, template, ids), { minLength: together, maxLength: together }),
        async (batch) => {
          await Promise.all(
            batch.map(async (attempt) => {
              check(attempt, await ai.request(method, attempt.path, attempt.body), allowed);
            }),
          );
        },
      ),
      { numRuns: requestsPerOperation / together, endOnFailure: true },
    );
    expect((await anonymous().get('/health')).status).toBe(200);
  });
});

test('the home still works afterwards', async () => {
  const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
  expect((await send(robin, wren, 'hello')).text).toBe('hello');
});
