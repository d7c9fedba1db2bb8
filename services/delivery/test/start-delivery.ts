import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { ActorSchema } from '@hearth/proto/common/v1/caller';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { AuditService } from '@hearth/proto/delivery/v1/audit';
import { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { MailsService } from '@hearth/proto/delivery/v1/mails';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import {
  calledBy,
  everyPage,
  type Fake,
  fakePeers,
  ids,
  operator,
  type StartServiceOptions,
  startService,
} from '@hearth/testkit';
import { expect } from '@jest/globals';
import { delivery } from '../src/service.ts';

export type TestDelivery = Awaited<ReturnType<typeof startDelivery>>;

/** The real delivery service on a database of its own; tests publish on the bus what other services would announce. */
export async function startDelivery(
  env: Record<string, string> = {},
  fakes: readonly Fake[] = [],
  options: Omit<StartServiceOptions, 'env' | 'peers'> = {},
) {
  const peers = fakePeers(fakes);
  const home = await startService([delivery], { env, peers, ...options });
  const client = home.client(DeliveryService);
  const calls = {
    ...client,
    ...home.client(ActivityService),
    ...home.client(AuditService),
    ...home.client(LinksService),
    ...home.client(AdminDeliveriesService),
    ...home.client(AppDeliveriesService),
    ...home.client(SubscriptionsService),
  };
  /** Makes all calls on behalf of that caller. */
  const by = (caller: Caller) => calledBy(calls, caller);
  return {
    ...home,
    peers,
    client,
    by,
    /** Returns all entries of the operator's list, read in pages of that size. */
    async allDeliveries(request: object = {}, limit = 100) {
      const pages = await everyPage((at) => by(operator).listAllDeliveries({ ...request, limit, ...at }));
      for (const { deliveries } of pages) expect(deliveries.length).toBeLessThanOrEqual(limit);
      return pages.flatMap(({ deliveries }) => deliveries);
    },
    async allDestinations(request: object = {}, limit = 100) {
      const pages = await everyPage((at) => by(operator).listDestinations({ ...request, limit, ...at }));
      return pages.flatMap(({ destinations }) => destinations);
    },
    /** As other services call it. */
    inward: home.client(DeliveryService, 'identity'),
    openLink: calls.openLink,
    mails: home.client(MailsService),
    /** As identity calls it. */
    resumeMails: home.client(MailsService, 'identity').resumeMails,
    /** As approvals calls it. */
    callbacks: home.client(CallbacksService, 'approvals'),
    linksInward: home.client(LinksService, 'identity'),
    /** As decisions calls it, to ask apps for guesses. */
    guesses: home.client(AppDeliveriesService, 'decisions'),
    wakeUps: home.client(SubscriptionsService),
  };
}

export function messageSent(at: number, topics: string[] = []): Event {
  const data = { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } } as const;
  return create(EventSchema, { id: printId('evt', ids.uuid()), at: timestampFromMs(at), topics, data });
}

/** An event as a service announces it, with that time. */
export function newEvent(
  data: MessageInitShape<typeof EventSchema>['data'],
  { at, by }: { at: number; by?: MessageInitShape<typeof ActorSchema> },
): Event {
  const id = printId('evt', ids.uuid());
  return create(EventSchema, { id, at: timestampFromMs(at), data, ...(by !== undefined && { by }) });
}
