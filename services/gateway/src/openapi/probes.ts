import type { JsonSchema } from '@hearth/proto-json';

const status = (description: string, words: string[], more: Record<string, JsonSchema> = {}): JsonSchema => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: words }, ...more },
      },
    },
  },
});

const reasons: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: "Why the home can't serve. Shown only to its own network and its operator.",
};

/** The probes' paths, which no service declares. */
export const probePaths: Record<string, JsonSchema> = {
  '/health': probe(
    'health',
    'Check whether this process accepts requests, regardless of the services behind it',
    {
      200: status('It accepts requests.', ['ok']),
      503: status('It is stopping, but still answers.', ['stopping']),
    },
  ),
  '/ready': probe('ready', 'Check whether the home can serve: its database, bus and services answer', {
    200: status('It can serve.', ['ok']),
    503: status("It can't serve at the moment.", ['not ready'], { reasons }),
  }),
};

function probe(operationId: string, summary: string, responses: Record<string, JsonSchema>): JsonSchema {
  const description = `${summary}. Needs no key and counts towards no limit.`;
  const refused = { 405: { $ref: '#/components/responses/MethodNotAllowed' } };
  return {
    get: {
      operationId,
      tags: ['gateway'],
      summary,
      description,
      security: [],
      responses: { ...responses, ...refused },
    },
  };
}
