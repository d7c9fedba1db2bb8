import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Reply } from './client.ts';
import { findSharedHome } from './shared.ts';

interface Described {
  operationId: string;
  responses: Record<
    string,
    { $ref?: string; content?: { 'application/json': { schema: { $ref?: string } } } }
  >;
}

interface Route {
  method: string;
  path: RegExp;
  operation: Described;
}

interface Checker {
  routes: readonly Route[];
  validatorOf(status: number, operation: Described): ValidateFunction | undefined;
}

let checker: Promise<Checker> | undefined;

/**
 * Throws if an answer of the shared home violates its OpenAPI document: another status, or a missing or mistyped
 * member. Checks every response that the acceptance tests see.
 */
export async function checkAnswer(url: string, method: string, path: string, reply: Reply): Promise<void> {
  if (!path.startsWith('/v0/') || findSharedHome()?.urls.includes(url) !== true) return;
  checker ??= load(url);
  const { routes, validatorOf } = await checker;
  const asked = new URL(path, url).pathname.replace(/^\/v0|\/$/g, '');
  const operation = routes.find((route) => route.method === method && route.path.test(asked))?.operation;
  if (operation === undefined) return;
  const { operationId, responses } = operation;
  const said = `${operationId} answered ${reply.status} ${JSON.stringify(reply.body)}`;
  if (responses[reply.status] === undefined) {
    throw new Error(`openapi.json has no such status: ${said}`);
  }
  const validate = validatorOf(reply.status, operation);
  if (validate === undefined || validate(reply.body)) return;
  const problems = validate.errors?.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  throw new Error(`openapi.json says otherwise, ${problems?.join('; ')}: ${said}`);
}

async function load(url: string): Promise<Checker> {
  const reply = await fetch(`${url}/v0/openapi.json`);
  const document = (await reply.json()) as { paths: Record<string, Record<string, Described>> };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'home', ...document });
  const templates = Object.entries(document.paths);
  // Paths with fewer parameters go first: /groups/resolve before /groups/{id}.
  templates.sort(([one], [other]) => one.split('{').length - other.split('{').length);
  const routes = templates.flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );
  return {
    routes,
    validatorOf(status, { responses }) {
      const { $ref, content } = responses[status]!;
      const schema =
        $ref === undefined ? content?.['application/json'].schema.$ref : '#/components/schemas/Error';
      return schema === undefined ? undefined : ajv.getSchema(`home${schema}`);
    },
  };
}
