import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  getOption,
  hasOption,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import type { Clock } from '@hearth/clock';
import { asHearthError, forbidden, type HearthError, internal } from '@hearth/errors';
import { CallerKind, type Operation, operation } from '@hearth/proto/options';
import { requireActsFor } from './acts-for.ts';
import { createCall, type IncomingCall } from './call.ts';
import type { Handlers } from './handlers.ts';
import { callersOf, isFederated, isOnBehalf, isSafe, methodPath } from './method-path.ts';
import { observeServed } from './observe.ts';
import type { ResponseMetadata } from './response-metadata.ts';

export interface DispatcherOptions {
  clock: Clock;
  /** Called once for each unexpected failure (kind `internal`), with its cause. */
  onUnexpected(error: HearthError, method: string): void;
}

export interface Answer {
  bytes: Uint8Array;
  metadata: ResponseMetadata;
}

/** An answer before encoding. */
export interface Spoken {
  message: Message;
  metadata: ResponseMetadata;
}

/**
 * Receives every call of a service, however it travelled: from the same process, as a single gRPC call, or in a batch.
 * Decodes, checks who may call, runs the handler, and encodes.
 */
export interface Dispatcher {
  readonly methods: ReadonlyMap<string, { readonly desc: DescMethod }>;
  /** @param at the name of the serving service, if several serve the same gRPC service */
  add<S extends DescService>(service: S, handlers: Handlers<S>, at?: string): void;
  /** All services that may call any of the methods. */
  callers(): ReadonlySet<string>;
  /** Whether the method changes nothing, so that it can be retried. */
  isSafe(path: string): boolean;
  unary(path: string, request: Uint8Array, incoming: IncomingCall): Promise<Answer>;
  /** `unary` without encoding. */
  speak(path: string, request: Message, incoming: IncomingCall): Promise<Spoken>;
  /** Streams are decoded and encoded where bytes go in and out. */
  bidi(path: string, requests: AsyncIterable<Message>, incoming: IncomingCall): AsyncIterable<Message>;
}

interface Method {
  desc: DescMethod;
  handler: (request: unknown, call: unknown) => unknown;
  callers: readonly string[];
  /** The kinds of principals that those callers pass on. */
  passed: ReadonlySet<CallerKind>;
  /** A public operation's declaration. */
  declared: Operation | undefined;
}

const noParty = new Set([CallerKind.ANONYMOUS]);
const parties = new Set([CallerKind.ANONYMOUS, CallerKind.AI, CallerKind.PERSON, CallerKind.APP]);

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, onUnexpected } = options;
  const methods = new Map<string, Method>();

  function find(path: string, incoming: IncomingCall): Method {
    const method = methods.get(path);
    if (method === undefined) throw internal(`no such method: ${path}`);
    if (!method.callers.includes(incoming.service)) {
      throw forbidden(`the service "${incoming.service}" may not call ${path}`);
    }
    if (incoming.service !== 'gateway' && !method.passed.has(incoming.caller.kind)) {
      throw forbidden(`the service "${incoming.service}" may not call ${path} for another`);
    }
    if (method.declared !== undefined) requireActsFor(method.declared, incoming.caller);
    return method;
  }

  function report(thrown: unknown, path: string): HearthError {
    const error = asHearthError(thrown);
    if (error.kind === 'internal') onUnexpected(error, path);
    return error;
  }

  function serve<T>(
    path: string,
    incoming: IncomingCall,
    read: (desc: DescMethod) => Message,
    write: (desc: DescMethod, answer: unknown, metadata: ResponseMetadata) => T,
  ): Promise<T> {
    const call = createCall(incoming, clock);
    return observeServed(path, incoming.traceparent, async () => {
      try {
        const { desc, handler } = find(path, incoming);
        return write(desc, await handler(read(desc), call), call.metadata);
      } catch (thrown) {
        call.abort(thrown);
        throw report(thrown, path);
      }
    });
  }

  return {
    methods,
    add(service, handlers, at) {
      for (const desc of service.methods) {
        const handler = (handlers as Record<string, Method['handler'] | undefined>)[desc.localName];
        if (handler === undefined) throw internal(`${service.typeName} has no handler for ${desc.name}`);
        methods.set(methodPath(desc, at), {
          desc,
          handler,
          callers: allowedCallers(desc),
          passed: isOnBehalf(desc) ? parties : noParty,
          declared: hasOption(desc, operation) ? getOption(desc, operation) : undefined,
        });
      }
    },
    callers: () => new Set([...methods.values()].flatMap(({ callers }) => callers)),
    isSafe(path) {
      const method = methods.get(path);
      return method !== undefined && isSafe(method.desc);
    },
    unary: (path, request, incoming) =>
      serve(
        path,
        incoming,
        (desc) => fromBinary(desc.input, request),
        (desc, answer, metadata) => ({ bytes: encode(desc, answer), metadata }),
      ),
    speak: (path, request, incoming) =>
      serve(
        path,
        incoming,
        () => request,
        (desc, answer, metadata) => ({ message: create(desc.output, answer as Message), metadata }),
      ),
    async *bidi(path, requests, incoming) {
      const call = createCall(incoming, clock);
      try {
        const { desc, handler } = find(path, incoming);
        const answers = handler(requests, call) as AsyncIterable<Message>;
        for await (const answer of answers) yield create(desc.output, answer);
      } catch (thrown) {
        throw report(thrown, path);
      } finally {
        call.abort(new Error('the stream ended'));
      }
    },
  };
}

/**
 * Only the gateway calls public operations, and for other homes their own service too; an internal rpc names its
 * callers.
 */
function allowedCallers(desc: DescMethod): readonly string[] {
  const [, own = ''] = desc.parent.typeName.split('.');
  if (hasOption(desc, operation)) return isFederated(desc) ? ['gateway', own] : ['gateway'];
  const callers = callersOf(desc);
  if (callers.length === 0)
    throw internal(`${desc.parent.typeName}.${desc.name} declares nobody who may call it`);
  return callers;
}

function encode(desc: DescMethod, answer: unknown): Uint8Array {
  return toBinary(desc.output, create(desc.output, answer as Message));
}
