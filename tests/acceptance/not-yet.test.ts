import { describe, expect, test } from '@jest/globals';
import { newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

/** Operations that a home will have and does not have yet. A part that is built leaves this list. */
const notYet = ['POST /v0/decisions', 'GET /v0/decisions', 'GET /v0/decisions/1', 'POST /v0/commons'];

describe('an operation that is not there yet', () => {
  test.each(notYet)('%s is agreed and not built', async (operation) => {
    const ai = await newAi();
    const [method, path] = operation.split(' ') as [string, string];
    const reply = await ai.request(method, path, method === 'GET' ? undefined : {});
    expect([reply.status, reply.body]).toEqual([
      501,
      { error: expect.stringMatching(/^[a-z_]+ is agreed and not built yet/), code: 'not_built' },
    ]);
  });

  test.each(['/v0/decision', '/federation/inbox'])('%s is not found', async (path) => {
    const ai = await newAi();
    const reply = await ai.request('POST', path, {});
    expect([reply.status, reply.body]).toEqual([404, await notFoundBody(ai)]);
  });
});
