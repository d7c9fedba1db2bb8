import { describe, expect, test } from '@jest/globals';
import { newAi } from '../support/home.ts';

describe('paths of the API', () => {
  test('accept the declared methods', async () => {
    const reply = await (await newAi()).request('PUT', '/v0/remote-asks', {});
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test.each(['/v0/plan', '/inbox'])('%s is not found', async (path) => {
    const ai = await newAi();
    const reply = await ai.request('POST', path, {});
    expect([reply.status, reply.body.error]).toEqual([404, expect.stringMatching(/^there is no such path/)]);
  });
});
