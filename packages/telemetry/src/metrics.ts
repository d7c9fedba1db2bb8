import { type ErrorKind, errorKinds } from '@hearth/errors';
import { counter, gauge, histogram, inwardBounds, requestBounds, upDownCounter } from './instruments.ts';

// The events that every part of a home shares, one function each. Names and attributes follow OpenTelemetry's semantic
// conventions where these define them, and otherwise start with `hearth.`.

const httpDuration = histogram('http.server.request.duration', {
  description: 'Duration of HTTP requests that the home answers, the time held not counted.',
  unit: 's',
  bounds: requestBounds,
});

export interface RequestEvent {
  /** The operation's id in the contract, or the name of a page or well-known document. */
  operation: string;
  method: string;
  /** The path with its parameters unfilled: `/v0/messages/{id}`. */
  route: string;
  /** The HTTP status of the answer. */
  status: number;
  seconds: number;
}

/** Records an answered request from outside. */
export function recordRequest(event: RequestEvent): void {
  httpDuration(event.seconds, {
    'http.request.method': event.method,
    'http.route': event.route,
    'http.response.status_code': event.status,
    'hearth.operation': event.operation,
    ...(event.status >= 500 ? { 'error.type': String(event.status) } : {}),
  });
}

const rpcBounds = { unit: 's', bounds: inwardBounds };
const callDuration = {
  server: histogram('rpc.server.call.duration', { description: 'Duration of calls answered.', ...rpcBounds }),
  client: histogram('rpc.client.call.duration', { description: 'Duration of calls made.', ...rpcBounds }),
};

export interface CallEvent {
  side: 'server' | 'client';
  /** `hearth.messages.v1.MessagesService/SendMessage`. */
  method: string;
  /** How it failed; undefined if it succeeded. */
  kind?: ErrorKind | undefined;
  seconds: number;
}

const statusNames = new Map<number, string>([
  [3, 'INVALID_ARGUMENT'],
  [4, 'DEADLINE_EXCEEDED'],
  [5, 'NOT_FOUND'],
  [7, 'PERMISSION_DENIED'],
  [8, 'RESOURCE_EXHAUSTED'],
  [11, 'OUT_OF_RANGE'],
  [12, 'UNIMPLEMENTED'],
  [13, 'INTERNAL'],
  [14, 'UNAVAILABLE'],
  [16, 'UNAUTHENTICATED'],
]);

/** Records a call between services, in this process or over gRPC. */
export function recordCall(event: CallEvent): void {
  const { kind } = event;
  const status = kind === undefined ? 'OK' : (statusNames.get(errorKinds[kind].grpc) ?? 'UNKNOWN');
  callDuration[event.side](event.seconds, {
    'rpc.system.name': 'grpc',
    'rpc.method': event.method,
    'rpc.status_code': status,
    ...(kind === undefined ? {} : { 'error.type': kind }),
  });
}

const holdsActive = upDownCounter('hearth.holds.active', {
  description: 'Requests that are held until something happens.',
  unit: '{request}',
});
const holdDuration = histogram('hearth.hold.duration', {
  description: 'How long a request was held.',
  unit: 's',
  bounds: [0.1, 0.5, 1, 2.5, 5, 10, 15, 20, 25, 30, 60],
});

/**
 * Why a hold ended: something happened, its time was up, the process drains, the client disconnected, or another wait
 * replaced it.
 */
export type HoldOutcome = 'woken' | 'timeout' | 'drained' | 'closed' | 'superseded';

/** Records that a request is now held. */
export function recordHoldStart({ operation }: { operation: string }): void {
  holdsActive(1, { 'hearth.operation': operation });
}

/** Records the end of a hold; call it once per `recordHoldStart`, with the same operation. */
export function recordHoldEnd(event: { operation: string; outcome: HoldOutcome; seconds: number }): void {
  holdsActive(-1, { 'hearth.operation': event.operation });
  holdDuration(event.seconds, { 'hearth.operation': event.operation, 'hearth.outcome': event.outcome });
}

const wakeDuration = histogram('hearth.wake.duration', {
  description: 'Time from hearing that something happened to the answer of a request that is held for it.',
  unit: 's',
  bounds: inwardBounds,
});

/**
 * Records an answered held request. The time starts when the gateway learns of the wake, by its own clock: clocks of
 * different machines differ by more than the time from the commit to the gateway.
 */
export function recordWake({ operation, seconds }: { operation: string; seconds: number }): void {
  wakeDuration(seconds, { 'hearth.operation': operation });
}

const outboxLag = gauge('hearth.outbox.lag', {
  description: 'Age of the oldest event that is committed and not yet published; 0 when there is none.',
  unit: 's',
});

/** Records how far a service's relay is behind. */
export function recordOutboxLag({ service, seconds }: { service: string; seconds: number }): void {
  outboxLag(seconds, { 'hearth.service': service });
}

const foreignMessages = counter('hearth.bus.foreign_messages', {
  description: 'Messages on the NATS server under subjects of the home that it did not send.',
  unit: '{message}',
});

/** Records a refused bus message that the home has not sent. */
export function recordForeignMessage(): void {
  foreignMessages(1);
}

const outboxSetAside = gauge('hearth.outbox.set_aside', {
  description: 'Events that cannot be published and wait for the operator.',
  unit: '{event}',
});

/** Records how many events a service's relay has set aside. */
export function recordSetAside({ service, events }: { service: string; events: number }): void {
  outboxSetAside(events, { 'hearth.service': service });
}

const poolWait = histogram('db.client.connection.wait_time', {
  description: 'Time that work waited for a connection of the pool.',
  unit: 's',
  bounds: inwardBounds,
});

/** Records how long work waited for a database connection. */
export function recordPoolWait({ pool, seconds }: { pool: string; seconds: number }): void {
  poolWait(seconds, { 'db.client.connection.pool.name': pool });
}

const processDuration = histogram('messaging.process.duration', {
  description: 'Time that a consumer took over one event, or over one batch of them.',
  unit: 's',
  bounds: inwardBounds,
});

/** Records that a consumer handled an event, successfully (`kind` undefined) or not. */
export function recordConsumed(event: {
  consumer: string;
  kind?: ErrorKind | undefined;
  seconds: number;
}): void {
  processDuration(event.seconds, {
    'messaging.operation.name': 'process',
    'messaging.system': 'nats',
    'messaging.consumer.group.name': event.consumer,
    ...(event.kind === undefined ? {} : { 'error.type': event.kind }),
  });
}

const outboundDuration = histogram('http.client.request.duration', {
  description: 'Duration of HTTP requests to addresses that others chose: webhooks, callbacks, other homes.',
  unit: 's',
  bounds: requestBounds,
});

/** Records the end of a request to another party's address, with its status or the category of its failure. */
export function recordOutbound(event: {
  method: string;
  status?: number | undefined;
  category?: string | undefined;
  seconds: number;
}): void {
  outboundDuration(event.seconds, {
    'http.request.method': event.method,
    ...(event.status === undefined ? {} : { 'http.response.status_code': event.status }),
    ...(event.category === undefined ? {} : { 'error.type': event.category }),
  });
}
