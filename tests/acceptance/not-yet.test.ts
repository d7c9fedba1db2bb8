import { describe, expect, test } from '@jest/globals';
import { newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

/** Operations that a home will have and does not have yet. A part that is built leaves this list. */
const notYet = [
  ...['POST /v0/decisions', 'GET /v0/decisions', 'GET /v0/decisions/1'],
  ...['POST /v0/commons', 'POST /v0/feedback'],
  'POST /federation/inbox',
];

describe('an operation that is not there yet', () => {
  test.each(notYet)('%s is not found', async (operation) => {
    const ai = await newAi();
    const [method, path] = operation.split(' ') as [string, string];
    const reply = await ai.request(method, path, method === 'GET' ? undefined : {});
    expect([reply.status, reply.body]).toEqual([404, await notFoundBody(ai)]);
  });
});
