import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { appEvents } from '@hearth/webhooks';
import { afterAll, describe, expect, test } from '@jest/globals';
import { scopesOf } from '../src/credentials/permission.ts';
import { readOperations } from '../src/operations/operations.ts';
import { ask } from './support/request.ts';
import { startTestGateway } from './support/test-gateway.ts';

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; description?: string }[];
  responses: Record<string, unknown>;
  security?: unknown[];
}

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  $ref?: string;
}

interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, object>>;
}

const home = await startTestGateway({
  env: { HEARTH_HOME: 'home.example', HEARTH_SITE_URL: 'https://home.example' },
});
const { text, json } = await ask(home.url, '/v0/openapi.json');
const document = json as unknown as Document;
afterAll(() => home.stop());

describe('the OpenAPI document', () => {
  test('passes the recommended rules of redocly lint', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-openapi-'));
    try {
      await writeFile(join(folder, 'openapi.json'), text);
      // OpenAPI itself says that fixed text takes precedence over a parameter, and no id equals such a text.
      const rules = 'rules: { no-ambiguous-paths: off }';
      await writeFile(join(folder, 'redocly.yaml'), `extends: [recommended]\ntelemetry: off\n${rules}\n`);
      const redocly = join(
        dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
        'bin',
        'cli.js',
      );
      const env = {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      };
      const args = [redocly, 'lint', 'openapi.json', '--format=stylish'];
      const outcome = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
        (failed: { stdout: string; stderr: string }) => failed,
      );
      const said = `${outcome.stdout}${outcome.stderr}`;
      expect(said).toContain('Your API description is valid');
      expect(said).not.toMatch(/\d+ (?:error|warning)s?/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('describes every operation in words', () => {
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const declared = readOperations().flatMap(({ id, bindings }) =>
      bindings.map(({ template }, index) => (index === 0 ? id : `${id}_in_${template.split('/')[2]}`)),
    );
    const ids = [...declared, 'health', 'ready'];
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(ids.sort());
    for (const { operationId, summary, description } of described) {
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[A-Z].{5,}[^.]$/)]);
      expect([operationId, description.length > 10, description.startsWith(summary)]).toEqual([
        operationId,
        true,
        ['health', 'ready'].includes(operationId),
      ]);
    }
  });

  test('describes each tag and each field', () => {
    const tags = new Set(readOperations().map(({ tag }) => tag));
    expect(document.tags.map(({ name }) => name)).toEqual([...tags]);
    expect(document.tags.filter(({ description }) => description.length < 10)).toEqual([]);
    // Declare a comment above the field, its enum or its message in the .proto file.
    const { schemas } = document.components as { schemas: Record<string, Schema> };
    const wordless = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => !isDescribed(field))
        .map(([name]) => `${schema}.${name}`),
    );
    const parameters = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, parameters = [] }) =>
        parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
      ),
    );
    expect([...wordless, ...parameters]).toEqual([]);

    function isDescribed({ description, items, additionalProperties, $ref }: Schema): boolean {
      if (description !== undefined) return true;
      if (items !== undefined) return isDescribed(items);
      if (typeof additionalProperties === 'object') return isDescribed(additionalProperties);
      return $ref !== undefined && schemas[$ref.split('/').at(-1)!]?.description !== undefined;
    }
  });

  test('has a schema for each event that apps are sent', () => {
    expect(Object.keys(document.webhooks)).toEqual(appEvents.map(({ name }) => name));
    const { requestBody } = document.webhooks['member.joined']!.post as unknown as Record<string, object>;
    const { schema } = (requestBody as { content: Record<string, { schema: object }> }).content[
      'application/json'
    ]!;
    expect(schema).toMatchObject({
      required: ['id', 'type', 'at', 'data'],
      properties: { type: { const: 'member.joined' }, data: { $ref: '#/components/schemas/MemberJoined' } },
    });
    expect(document.webhooks['guess']!.post!.responses['2XX']).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { guesses: { items: { required: ['question_id', 'answer'] } } } },
        },
      },
    });
  });

  test("declares a request's bounds and errors", () => {
    const send = document.paths['/messages']?.post as Described;
    expect(Object.keys(send.responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '404',
      '405',
      '413',
      '429',
      '431',
      '500',
      '501',
      '503',
    ]);
    const wait = document.paths['/messages']?.get?.parameters?.find(({ name }) => name === 'wait');
    expect(wait).toMatchObject({ in: 'query', required: false, schema: { type: 'integer' } });
    expect(document.paths['/cards/{address}']?.get?.parameters?.[0]).toMatchObject({
      in: 'path',
      required: true,
    });
    expect(document.paths['/agents']?.post?.security).toEqual([{}, { key: [] }]);
  });

  test('declares authentication, and the header for whom an app acts', () => {
    const securityOf = (path: string, method: string) => document.paths[path]?.[method]?.security;
    expect(securityOf('/messages', 'post')).toEqual([{ key: [] }, { oauth: ['message'] }]);
    expect(securityOf('/admin/apps', 'post')).toEqual([{ key: [] }]);
    const headersOf = (path: string, method: string) =>
      document.paths[path]?.[method]?.parameters?.filter(({ in: where }) => where === 'header');
    expect(headersOf('/messages', 'post')?.map(({ name }) => name)).toEqual([
      'Idempotency-Key',
      'Svc-Acting-For',
    ]);
    expect(headersOf('/admin/apps', 'get')).toEqual([]);
    expect(headersOf('/app', 'patch') ?? []).toEqual([]);
    expect(headersOf('/commons', 'post')?.map(({ name }) => name)).toContain('Svc-Acting-For');
    const scopes = new Set(readOperations().flatMap((operation) => scopesOf(operation)));
    const offered = document.components.securitySchemes?.oauth as {
      flows: { authorizationCode: { authorizationUrl: string; scopes: object } };
    };
    expect(offered.flows.authorizationCode.authorizationUrl).toBe('https://home.example/oauth/authorize');
    for (const scope of scopes) expect(Object.keys(offered.flows.authorizationCode.scopes)).toContain(scope);
  });

  test('refers only to existing components, and has no unused ones', () => {
    const references = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map((match) => `${match[1]}/${match[2]}`),
    );
    const there = ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(document.components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(there.sort());
  });
});
