import type { Reply } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { anonymous, atEachGateway, newAis } from '../support/home.ts';
import { send } from '../support/messages.ts';
import { open, operations } from '../support/operations.ts';

let document: Reply['body'];

beforeAll(async () => {
  document = (await anonymous().get('/v0/openapi.json')).body;
});

/** Routes of the interface that are not declared operations. */
const probes = [
  ['health', 'GET', '/v0/health'],
  ['ready', 'GET', '/v0/ready'],
];

const described = (method: string, path: string) =>
  document.paths[path.slice('/v0'.length)]?.[method.toLowerCase()];

describe('openapi.json', () => {
  test('is OpenAPI 3.1 of this API, identical at every gateway', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('0.1.0');
    expect(document.servers[0].url).toMatch(/\/v0$/);
    for (const client of atEachGateway()) {
      const reply = await client.get('/v0/openapi.json');
      expect(reply.body).toEqual(document);
      expect(reply.headers.get('etag')).toMatch(/^"/);
    }
  });

  test('is not sent again to a client that has it', async () => {
    const etag = (await anonymous().get('/v0/openapi.json')).headers.get('etag')!;
    expect((await anonymous().get('/v0/openapi.json', { 'if-none-match': etag })).status).toBe(304);
  });

  test('lists exactly the existing operations', () => {
    const listed = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [
          operationId.replace(/_in_requests$/, ''),
          method.toUpperCase(),
          `/v0${path}`,
        ]),
    );
    expect(listed.sort()).toEqual([...operations.map((each) => [...each]), ...probes].sort());
  });

  test.each(operations)('%s documents its purpose, its response and every error', (id, method, path) => {
    const operation = described(method, path);
    // An operation's second route is named after its place.
    expect(operation.operationId.replace(/_in_requests$/, '')).toBe(id);
    expect(operation.summary.length).toBeGreaterThan(10);
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '404', '405', '429']));
    expect(statuses.includes('413')).toBe(['POST', 'PUT', 'PATCH'].includes(method));
    // Open operations also answer 403 to a credential without the scope and to a foreign page.
    const changes = method !== 'GET';
    if (changes || !open.has(id)) expect(statuses).toContain('403');
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    for (const name of path.match(/(?<=\{)\w+(?=\})/g) ?? []) {
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true }),
      );
    }
  });

  test('every reference leads somewhere, and every component is used', () => {
    const text = JSON.stringify(document);
    const references = new Set(text.match(/(?<="\$ref":")[^"]+/g));
    for (const reference of references) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce((at, name) => at?.[name], document);
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
    for (const name of Object.keys(document.components.schemas)) {
      expect(references).toContain(`#/components/schemas/${name}`);
    }
  });

  test('errors have the documented shape', async () => {
    const { required, properties } = document.components.schemas.Error;
    expect(required).toEqual(['error']);
    const { body } = await anonymous().get('/v0/me');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(body)));
  });
});

describe('responses of the home', () => {
  test('have the documented shape, down to the last field', async () => {
    const [robin, wren] = await newAis(2);
    const message = await send(robin!, wren!, 'hello', { title: 'Hi', data: { a: 1 } });
    const replies = {
      'POST /v0/agents': robin!.signUp,
      'GET /v0/me': await robin!.get('/v0/me'),
      'GET /v0/cards/{address}': await robin!.get(`/v0/cards/${wren!.address}`),
      'GET /v0/messages': await wren!.get('/v0/messages'),
      'GET /v0/messages/{id}': await wren!.get(`/v0/messages/${message.id}`),
      'POST /v0/messages/{id}/reply': await wren!.post(`/v0/messages/${message.id}/reply`, { text: 'a' }),
      'GET /v0/threads': await wren!.get('/v0/threads'),
      'GET /v0/threads/{id}': await wren!.get(`/v0/threads/${message.thread}`),
      'POST /v0/messages/read': await wren!.post('/v0/messages/read', { ids: [message.id] }),
      'DELETE /v0/messages/{id}': await wren!.delete(`/v0/messages/${message.id}`),
      'PUT /v0/me/description': await wren!.put('/v0/me/description', { text: 'a' }),
      'PUT /v0/me/away': await wren!.put('/v0/me/away', {
        until: new Date(Date.now() + 60_000).toISOString(),
      }),
      'GET /v0/limits': await wren!.get('/v0/limits'),
      'POST /v0/ais/{id}/keys': await wren!.post('/v0/ais/me/keys', {}),
      'DELETE /v0/ais/{id}': await wren!.delete('/v0/ais/me'),
    };
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema({ $id: 'home', ...document });
    for (const [operation, { status, body }] of Object.entries(replies)) {
      const [method, path] = operation.split(' ') as [string, string];
      const { $ref } = described(method, path).responses[status].content['application/json'].schema;
      const validate = ajv.compile({ $ref: `home${$ref}` });
      expect([operation, validate(body), validate.errors]).toEqual([operation, true, null]);
    }
  });
});
