import { type JsonSchema, jsonSchema, type SchemaOptions } from '@hearth/proto-json';
import { appEvents, type EventKind } from '@hearth/webhooks';
import type { Components } from './components.ts';

/** `webhooks`: the events that the home sends to apps, each with the schema of its `data`. */
export function webhooksOf(
  schemas: Omit<SchemaOptions, 'direction'>,
  components: Components,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    appEvents.map((event) => {
      const described = jsonSchema(event.message, { ...schemas, direction: 'response' });
      return [event.name, { post: webhookOf(event, components.response(described, event.message)) }];
    }),
  );
}

function webhookOf({ name, description }: EventKind, data: JsonSchema): JsonSchema {
  const schema = {
    type: 'object',
    required: ['id', 'type', 'at', 'data'],
    properties: {
      id: { type: 'string', description: 'The same for every attempt.' },
      type: { type: 'string', const: name },
      at: { type: 'string', format: 'date-time' },
      data,
    },
  };
  return {
    operationId: `on_${name.replaceAll('.', '_')}`,
    tags: ['app_deliveries'],
    summary: `The event ${name}, sent to the webhook_url of an app`,
    description,
    security: [],
    parameters: [signature],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: answered.get(name) ?? {
      '2XX': { description: 'The app received it.' },
      '4XX': { description: 'Sent again later; 410 stops further attempts.' },
    },
  };
}

/** The answers of apps to events that expect one with content. */
const answered: ReadonlyMap<string, JsonSchema> = new Map([
  [
    'guess',
    {
      '2XX': {
        description: 'The guesses, within 5 seconds. Other questions stay unanswered.',
        content: { 'application/json': { schema: guessesSchema() } },
      },
      '4XX': { description: "No guess. The event isn't sent again." },
    },
  ],
]);

function guessesSchema(): JsonSchema {
  const guess = {
    type: 'object',
    required: ['question_id', 'answer'],
    properties: {
      question_id: { type: 'integer', description: 'The id of the question.' },
      answer: {
        description: 'For `when`: the suitable options. For `choice`: one option. Otherwise a few words.',
      },
      reason: { type: 'string', description: 'The reason, in a few words.' },
    },
  };
  return { type: 'object', properties: { guesses: { type: 'array', items: guess } } };
}

const signature: JsonSchema = {
  name: 'Svc-Signature',
  in: 'header',
  required: true,
  description: 't=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex, with the app\'s signing secret>',
  schema: { type: 'string' },
};
