import { codes } from '@hearth/errors';
import type { JsonSchema } from '@hearth/proto-json';
import type { Binding } from '../operations/module.ts';
import { refTo } from './components.ts';

const retryAfter = {
  'Retry-After': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
};

/** The error responses of every operation, as components that operations refer to by status. */
const errors: Readonly<
  Record<number, { name: string; description: string; headers?: Record<string, JsonSchema> }>
> = {
  400: { name: 'BadRequest', description: 'The request is invalid; `error` says why.' },
  401: {
    name: 'Unauthenticated',
    description: 'The key is missing or not valid.',
    headers: {
      'WWW-Authenticate': {
        description:
          'Bearer, with `resource_metadata` (how a program signs in for a person), the required `scope`, and ' +
          '`error="invalid_token"` if a key was sent.',
        schema: { type: 'string' },
      },
    },
  },
  403: {
    name: 'Forbidden',
    description:
      'A permission or scope is missing, a person must do it instead (needs_person: true), or the Host or Origin header names another site.',
    headers: {
      'WWW-Authenticate': {
        description:
          'For a sign-in that lacks scopes: Bearer, with `error="insufficient_scope"` and every required `scope`.',
        schema: { type: 'string' },
      },
    },
  },
  404: { name: 'NotFound', description: "Not found, or you don't have access." },
  405: {
    name: 'MethodNotAllowed',
    description: "The path doesn't support this method.",
    headers: { Allow: { description: 'The supported methods.', schema: { type: 'string' } } },
  },
  413: { name: 'TooLarge', description: 'The body is larger than the limit body_bytes in GET /limits.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; `limit` names the limit, and `resets_at` says when it resets.',
    headers: retryAfter,
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request line and headers exceed 16 KiB; the connection is closed.',
  },
  500: { name: 'Internal', description: 'An error in the home itself; the text has an id for the operator.' },
  501: { name: 'NotBuilt', description: 'Not built yet, or not available on this home.' },
  503: {
    name: 'Unavailable',
    description: 'A part of the home is temporarily unavailable.',
    headers: retryAfter,
  },
};

/** `components.responses` */
export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.values(errors).map(({ name, description, headers }) => [
      name,
      {
        description,
        ...(headers && { headers }),
        content: { 'application/json': { schema: { $ref: refTo('Error') } } },
      },
    ]),
  );
}

/** The possible errors of an operation, by status. */
export function errorsOf({ hasBody }: Binding): Record<string, JsonSchema> {
  const statuses = Object.keys(errors)
    .map(Number)
    .filter((status) => status !== 413 || hasBody);
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${errors[status]?.name}` }]),
  );
}

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The answer to every failed request.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The problem and how to fix it, in plain text.' },
    code: { type: 'string', enum: [...codes], description: 'The reason, as a code for programs.' },
    field: { type: 'string', description: 'The invalid field, as named in the request.' },
    needs_person: { type: 'boolean', description: 'True if a person must do it instead.' },
    limit: { type: 'string', description: 'The exceeded limit, by its name in GET /limits.' },
    resets_at: { type: 'string', format: 'date-time', description: 'When that limit resets.' },
    readings: {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      description: 'The instants that an ambiguous local time could mean.',
    },
    free: {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      description: 'The starts of up to ten free times, if the requested one is taken.',
    },
  },
};
