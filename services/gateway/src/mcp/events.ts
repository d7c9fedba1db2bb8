import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import { day } from '@hearth/clock';
import { asHearthError } from '@hearth/errors';
import { type Limits, sizeOf } from '@hearth/limits';
import { SubscriptionsService, UnsubscribeFromRequestSchema } from '@hearth/proto/delivery/v1/subscriptions';
import { type JsonRecord, type Reader, writeMessage } from '@hearth/proto-json';
import type { Client } from '@hearth/rpc';
import { type Callable, type Calls, createCallable, type FindPeer, type Question } from '../calls/module.ts';
import type { ShowFailure } from '../http/module.ts';
import { readOperations } from '../operations/module.ts';
import { invalidParams, McpError, rpcErrorOf, type Subject } from './error-codes.ts';
import { given, inWordsOfMcp, isRecord, readEvent, readWebhook, refuseCursor } from './event-params.ts';
import type { Serving } from './serving.ts';

/** The methods of the extension io.modelcontextprotocol/events (SEP-3415), which wakes AIs. */
export const eventMethods = ['events/list', 'events/poll', 'events/subscribe', 'events/unsubscribe'] as const;

export type EventMethod = (typeof eventMethods)[number];

export interface Events {
  /** The operation behind a method, which decides the permitted callers. */
  callableOf(method: EventMethod): Callable;
  /** Throws McpError. */
  answer(method: EventMethod, params: unknown, serving: Serving): Promise<JsonRecord>;
}

export interface Deps {
  peer: FindPeer;
  calls: Calls;
  reader: Reader;
  limits: Limits;
  showFailure: ShowFailure;
}

const operationOf: Readonly<Record<EventMethod, string>> = {
  'events/list': 'list_events',
  'events/poll': 'poll_events',
  'events/subscribe': 'subscribe',
  'events/unsubscribe': 'unsubscribe',
};

/** Prevents caching, except for an answer that allows it: a poll that found nothing. */
const polled = (json: JsonRecord): Question => ({
  name: () => `events/poll ${JSON.stringify(json)}`,
  series: () => undefined,
});

/** The home's events over MCP, as delivery returns them over REST. */
export function createEvents({ peer, calls, reader, limits, showFailure }: Deps): Events {
  const operations = new Map(readOperations([SubscriptionsService]).map((each) => [each.id, each]));
  const callables = Object.fromEntries(
    eventMethods.map((method) => [method, createCallable(operations.get(operationOf[method])!, peer)]),
  ) as Record<EventMethod, Callable>;
  const delivery = peer('delivery', SubscriptionsService) as Pick<
    Client<typeof SubscriptionsService>,
    'unsubscribeFrom'
  >;
  const longestMs = 7 * day;
  const mostEvents = sizeOf(limits, 'page_entries');

  async function ask(
    method: EventMethod,
    json: JsonRecord,
    { principal, exchange }: Serving,
  ): Promise<JsonRecord> {
    const callable = callables[method];
    const { input, output } = callable.operation.desc;
    const message = reader.readMessage(input as DescMessage, json) as Message;
    const { answer } = await calls.answer({ callable, principal, exchange, message, question: polled(json) });
    return writeMessage(output as DescMessage, answer.message);
  }

  const answers: Record<EventMethod, (params: JsonRecord, serving: Serving) => Promise<JsonRecord>> = {
    'events/list': async (params, serving) => {
      refuseCursor(params);
      const { events } = await ask('events/list', {}, serving);
      return { events };
    },
    'events/poll': async (params, serving) => {
      const { maxEvents } = params;
      const limit = typeof maxEvents === 'number' ? Math.min(maxEvents, mostEvents) : maxEvents;
      const json = { id: 'me', ...readEvent(params), ...given({ limit }) };
      const { events, cursor, truncated, hasMore, nextPollMs } = await ask('events/poll', json, serving);
      return { events, cursor, truncated, hasMore, nextPollMs };
    },
    'events/subscribe': async (params, serving) => {
      const { url, secret } = readWebhook(params);
      const { ttlMs } = params;
      // The protocol treats it as a wish, so a longer wait is cut.
      const ttl_ms = typeof ttlMs === 'number' ? Math.min(ttlMs, longestMs) : ttlMs;
      const json = { id: 'me', ...readEvent(params), ...given({ url, secret, ttl_ms }) };
      const { id, refreshBefore, cursor, truncated, deliveryStatus } = await ask(
        'events/subscribe',
        json,
        serving,
      );
      return { id, refreshBefore, cursor, truncated, ...given({ deliveryStatus }) };
    },
    'events/unsubscribe': async (params, { principal }) => {
      const { name, group } = readEvent(params);
      const { url } = readWebhook(params);
      if (typeof url !== 'string') throw invalidParams('delivery.url: must be given', 'delivery.url');
      const request = create(UnsubscribeFromRequestSchema, {
        name: name as string,
        url,
        ...(group !== undefined && { group: group as string }),
      });
      await delivery.unsubscribeFrom(request, { caller: principal.caller });
      return {};
    },
  };

  return {
    callableOf: (method) => callables[method],
    async answer(method, params, serving) {
      const { principal, exchange } = serving;
      try {
        await calls.admit(callables[method], principal, exchange);
        if (params !== undefined && !isRecord(params)) throw invalidParams('params: must be an object');
        return { resultType: 'complete', ...(await answers[method](params ?? {}, serving)) };
      } catch (thrown) {
        if (thrown instanceof McpError) throw thrown;
        const error = showFailure(exchange, asHearthError(thrown));
        throw new McpError(inWordsOfMcp(rpcErrorOf(error, limits, subjectOf(method, serving))));
      }
    },
  };
}

function subjectOf(method: EventMethod, { principal }: Serving): Subject {
  return { kind: method === 'events/unsubscribe' ? 'subscription' : 'event', caller: principal.caller };
}
