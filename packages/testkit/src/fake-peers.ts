import type { DescMethod, DescService, MessageShape } from '@bufbuild/protobuf';
import { type HearthError, internal, unavailable } from '@hearth/errors';
import type { Call, Caller, Handlers } from '@hearth/rpc';
import { type Host, type ServiceDefinition, type ServiceName, serviceNames } from '@hearth/runtime';

/** Handlers of a gRPC service, made by `fake`. */
export interface Fake {
  service: DescService;
  /** The home's service that it replaces. */
  at: ServiceName;
  handlers(host: Host): object;
}

/** A call that a fake peer received. */
export interface RecordedCall {
  /** The called service: "identity". */
  service: ServiceName;
  method: DescMethod;
  /** The rpc by its client's name: "findPeople". */
  name: string;
  /** The calling service: "groups". */
  from: string;
  caller: Caller;
  /** Undefined for a stream. */
  request: unknown;
}

export interface FakePeers {
  /** The faked services, for `startService`. */
  readonly services: readonly ServiceDefinition[];
  /** All calls, in order. */
  readonly calls: RecordedCall[];
  /** The requests of one rpc, in order. */
  requestsOf<M extends DescMethod>(method: M): MessageShape<M['input']>[];
  /** Makes every call to that service fail (default: unavailable) until `back`. */
  away(service: ServiceName, error?: HearthError): void;
  back(service: ServiceName): void;
  /** Makes every call of that rpc fail; undefined makes it work again. */
  fail(method: DescMethod, error: HearthError | undefined): void;
  /** Throws if a service called an rpc without a handler here. The test service's `stop()` calls it. */
  check(): void;
}

/**
 * Defines the handlers of a gRPC service that a test needs. A function is called when the home starts, with the faked
 * service's host.
 *
 * @param at the service to replace, if several serve the same gRPC service
 */
export function fake<S extends DescService>(
  service: S,
  handlers: Partial<Handlers<S>> | ((host: Host) => Partial<Handlers<S>>),
  at: ServiceName = serviceOf(service),
): Fake {
  return { service, at, handlers: (host) => (typeof handlers === 'function' ? handlers(host) : handlers) };
}

type AnyHandler = (request: unknown, call: Call) => unknown;

/**
 * Replaces missing services, one for each service that these gRPC services belong to. If two fakes have the same gRPC
 * service, the later one adds its handlers and overrides handlers of the same name. A call without a handler fails, and
 * also fails the test at its end.
 */
export function fakePeers(...parts: readonly (Fake | readonly Fake[])[]): FakePeers {
  const byService = new Map<ServiceName, Map<DescService, Fake[]>>();
  for (const part of parts.flat()) {
    const fakes = byService.get(part.at) ?? new Map<DescService, Fake[]>();
    fakes.set(part.service, [...(fakes.get(part.service) ?? []), part]);
    byService.set(part.at, fakes);
  }
  const calls: RecordedCall[] = [];
  const awayWith = new Map<ServiceName, HearthError>();
  const failing = new Map<DescMethod, HearthError>();
  const unexpected = new Set<string>();

  function receive(service: ServiceName, method: DescMethod, known: boolean, request: unknown, call: Call) {
    calls.push({
      service,
      method,
      name: method.localName,
      from: call.service,
      caller: call.caller,
      request: method.methodKind === 'bidi_streaming' ? undefined : request,
    });
    const error = awayWith.get(service) ?? failing.get(method);
    if (error !== undefined) throw error;
    if (known) return;
    const text = `${call.service} calls ${service}.${method.localName}`;
    unexpected.add(text);
    throw internal(text);
  }

  function recorded(service: ServiceName, method: DescMethod, handler: AnyHandler | undefined): AnyHandler {
    if (method.methodKind !== 'bidi_streaming') {
      return async (request, call) => {
        receive(service, method, handler !== undefined, request, call);
        return await handler!(request, call);
      };
    }
    return async function* (requests, call) {
      receive(service, method, handler !== undefined, requests, call);
      yield* handler!(requests, call) as AsyncIterable<unknown>;
    };
  }

  function definition(name: ServiceName, fakes: ReadonlyMap<DescService, Fake[]>): ServiceDefinition {
    return {
      name,
      async start(host) {
        for (const [service, parts] of fakes) {
          const known: Record<string, AnyHandler> = Object.assign(
            {},
            ...parts.map((part) => part.handlers(host)),
          );
          const handlers = service.methods.map((method) => [
            method.localName,
            recorded(name, method, known[method.localName]),
          ]);
          host.serve(service, Object.fromEntries(handlers) as Handlers<DescService>);
        }
      },
    };
  }

  return {
    services: [...byService].map(([name, fakes]) => definition(name, fakes)),
    calls,
    requestsOf: <M extends DescMethod>(method: M) =>
      calls
        .filter((call) => call.method === method)
        .map(({ request }) => request as MessageShape<M['input']>),
    away: (service, error = unavailable(`${service} is away`)) => void awayWith.set(service, error),
    back: (service) => void awayWith.delete(service),
    fail(method, error) {
      if (error === undefined) failing.delete(method);
      else failing.set(method, error);
    },
    check() {
      if (unexpected.size > 0)
        throw new Error(`calls that the test did not expect: ${[...unexpected].join(', ')}`);
    },
  };
}

/** "hearth.identity.v1.PeopleService" belongs to identity. */
function serviceOf({ typeName }: DescService): ServiceName {
  const name = serviceNames.find((each) => typeName.startsWith(`hearth.${each}.`));
  if (name === undefined) throw new Error(`${typeName} belongs to no service of a home`);
  return name;
}
