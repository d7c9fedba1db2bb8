import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type { ListEventsResponseSchema, SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { UnaryHandler } from '@hearth/rpc';
import { wakeUps } from '@hearth/webhooks';

/** The same for every caller, as the declarations have it. */
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
