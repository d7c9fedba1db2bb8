import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type { ListEventsResponseSchema } from '@hearth/proto/delivery/v1/subscriptions';
import { wakeUps } from '@hearth/webhooks';
import type { EventsHandlers } from './poll-index.ts';

let answer: MessageInitShape<typeof ListEventsResponseSchema> | undefined;

/** The same for everybody, as the declarations say it. */
export const listEvents: EventsHandlers['listEvents'] = async () => {
  answer ??= {
    events: wakeUps.map(({ name, description, inputSchema, schema }) => ({
      name,
      description,
      delivery: ['webhook', 'poll'],
      inputSchema: inputSchema as JsonObject,
      payloadSchema: schema as JsonObject,
    })),
  };
  return answer;
};
