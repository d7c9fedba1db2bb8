import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type { ListEventsResponseSchema, SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { wakeUps } from '@hearth/webhooks';

/** Same for every caller: derived from the declarations. */
const answer: MessageInitShape<typeof ListEventsResponseSchema> = {
  events: wakeUps.map(({ name, description, inputSchema, schema }) => ({
    name,
    description,
    delivery: ['webhook', 'poll'],
    inputSchema: inputSchema as JsonObject,
    payloadSchema: schema as JsonObject,
  })),
};

export const listEvents = (): UnaryHandler<typeof SubscriptionsService.method.listEvents> => async () =>
  answer;
