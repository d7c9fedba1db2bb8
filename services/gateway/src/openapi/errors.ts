import { codes } from '@hearth/errors';
import type { JsonSchema } from '@hearth/proto-json';
import type { Binding } from '../operations/module.ts';
import { refTo } from './components.ts';

const retryAfter = {
  'Retry-After': { description: 'When to come back, in seconds.', schema: { type: 'integer', minimum: 1 } },
};

/** The error responses of every operation, as components that operations refer to by status. */
const errors: Readonly<
  Record<number, { name: string; description: string; headers?: Record<string, JsonSchema> }>
> = {
  400: { name: 'BadRequest', description: 'The request could not be done; error says why.' },
  401: {
    name: 'Unauthenticated',
    description: 'Sign in first, or the key is not valid.',
    headers: {
      'WWW-Authenticate': {
        description:
          'Bearer, with `resource_metadata`, where a program learns how to sign in for a person, the `scope` that is ' +
          'needed, and `error="invalid_token"` where a key was sent.',
        schema: { type: 'string' },
      },
    },
  },
  403: {
    name: 'Forbidden',
    description:
      'A permission or scope is missing, a person must do it instead (needs_person: true), or the Host or Origin is not of this home.',
    headers: {
      'WWW-Authenticate': {
        description:
          'Where a sign-in lacks scopes: Bearer, with `error="insufficient_scope"` and every `scope` that is needed.',
        schema: { type: 'string' },
      },
    },
  },
  404: { name: 'NotFound', description: 'No such thing that the caller can see.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not take this method.',
    headers: { Allow: { description: 'The methods that it takes.', schema: { type: 'string' } } },
  },
  413: { name: 'TooLarge', description: 'The body is larger than body_bytes of GET /limits.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; error names the limit and when it resets.',
    headers: retryAfter,
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request line and headers are longer than 16 KiB; the connection ends.',
  },
  500: { name: 'Internal', description: "The home's own fault; the text carries an id for its operator." },
  501: { name: 'NotBuilt', description: 'Agreed but not built yet, or not available on this home.' },
  503: {
    name: 'Unavailable',
    description: 'A part of the home cannot be reached just now.',
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
    error: { type: 'string', description: 'The fault, in words a person can read.' },
    code: { type: 'string', enum: [...codes], description: 'The reason, for a program.' },
    field: { type: 'string', description: 'The field at fault, as it was sent.' },
    needs_person: { type: 'boolean', description: 'True when a person must answer instead.' },
    limit: { type: 'string', description: 'The limit that was reached, by its name in GET /limits.' },
    resets_at: { type: 'string', format: 'date-time', description: 'When that limit resets.' },
    readings: {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      description: 'The instants that an ambiguous local time could mean.',
    },
    free: {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      description: 'The starts of up to ten free times, where the one asked for is taken.',
    },
  },
};
