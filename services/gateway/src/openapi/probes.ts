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
  description: 'What keeps the home from serving; told to its own network and its operator alone.',
};

/** The paths of the probes, which no service declares. */
export const probePaths: Record<string, JsonSchema> = {
  '/health': probe('health', 'Whether this process takes requests, whatever the parts behind it do', {
    200: status('It takes them.', ['ok']),
    503: status('It is stopping, and still answers.', ['stopping']),
  }),
  '/ready': probe('ready', 'Whether the home can serve: its database, bus and services answer', {
    200: status('It can serve.', ['ok']),
    503: status('It cannot serve just now.', ['not ready'], { reasons }),
  }),
};

function probe(operationId: string, summary: string, responses: Record<string, JsonSchema>): JsonSchema {
  const description = `${summary}. No key is needed, and it is not counted.`;
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
