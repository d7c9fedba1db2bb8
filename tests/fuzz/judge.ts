import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Route } from './requests.ts';
import type { Answer } from './send.ts';

type Json = Record<string, unknown>;

/** Returns why the home may not give this answer; undefined for a good one. */
export type Judge = (route: Route, answer: Answer) => string | undefined;

/** Judges by the home's own OpenAPI document. */
export function createJudge(document: Json): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  ajv.addFormat('date-time', time);
  for (const loose of ['uri', 'int64', 'uint64', 'int32', 'uint32', 'double', 'byte', 'email', 'date'])
    ajv.addFormat(loose, true);
  ajv.addSchema({ $id: 'home', ...(closed(structuredClone(document)) as Json) });
  const validators = new Map<string, ValidateFunction | 'none' | 'undeclared'>();

  /** A JSON pointer to the answer's schema, following references to components. */
  function validatorOf(
    { method, template }: Route,
    status: number,
  ): ValidateFunction | 'none' | 'undeclared' {
    const at = ['paths', template.slice('/v0'.length), method.toLowerCase(), 'responses', String(status)];
    let declared = at.reduce(
      (place, name) => place?.[name] as Json | undefined,
      document as Json | undefined,
    );
    if (declared === undefined) return 'undeclared';
    let place = at;
    if (typeof declared['$ref'] === 'string') {
      place = declared['$ref'].slice(2).split('/');
      declared = place.reduce(
        (from, name) => from?.[name] as Json | undefined,
        document as Json | undefined,
      )!;
    }
    if (declared['content'] === undefined) return 'none';
    const pointer = [...place, 'content', 'application/json', 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    return ajv.compile({ $ref: `home#/${pointer}` });
  }

  return (route, { status, type, text }) => {
    // Answered before routing.
    if (status === 431) return undefined;
    if (status >= 500 && status !== 501) return `the home failed with ${status}`;
    const key = `${route.method} ${route.template} ${status}`;
    const validator = validators.get(key) ?? validatorOf(route, status);
    validators.set(key, validator);
    if (validator === 'undeclared') return `the status ${status} is not declared`;
    if (validator === 'none') return text === '' ? undefined : `${status} has no body by its declaration`;
    if (!type.startsWith('application/json')) return `the answer is ${type}, not JSON`;
    const body = parsed(text);
    if (body === undefined) return 'the answer is not JSON, though it says so';
    if (status === 501 && body.code !== 'not_built') return 'the home failed with 501';
    if (validator(body)) return undefined;
    const faults = validator.errors!.map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    return `the answer does not fit the schema: ${faults.slice(0, 3).join('; ')}`;
  };
}

/** Undefined if the text is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same document, with additional properties forbidden. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) for (const item of schema) closed(item);
  else if (schema !== null && typeof schema === 'object') {
    const node = schema as Json;
    if (node['type'] === 'object' && node['properties'] !== undefined) node['additionalProperties'] ??= false;
    for (const value of Object.values(node)) closed(value);
  }
  return schema;
}
