import type { DescService, Message } from '@bufbuild/protobuf';
import type { Reader } from '@hearth/proto-json';
import type { CallOptions } from '@hearth/rpc';
import type { ServiceName } from '@hearth/runtime';
import { type CheckPermission, permissionOf, scopesOf } from '../credentials/permission.ts';
import type { Binding, HttpMethod, Operation } from '../operations.ts';
import { RouteTree } from './route-tree.ts';

/** How requests are read, the same for every route. */
export interface Reading {
  maxBodyBytes: number;
  reader: Reader;
}

/** Everything that a request of one operation needs, worked out at the start. */
export interface Route extends Reading {
  operation: Operation;
  method: HttpMethod;
  template: string;
  /** The names of the path's parameters, in order. */
  parameters: readonly string[];
  hasBody: boolean;
  /** Whether the operation takes a request_id, which may come as a header too. */
  hasRequestId: boolean;
  /** Whether the request may be held. */
  canWait: boolean;
  successStatus: number;
  /** Cache-Control of an answer that has an ETag: kept by the caller alone. */
  cacheControl: string;
  check: CheckPermission;
  /** The scopes that it needs, in the words of OAuth. */
  scopes: readonly string[];
  /** How long the answer may take, in milliseconds; undefined for as long as usual. */
  timeoutMs: number | undefined;
  call(request: Message, options: CallOptions): Promise<Message>;
}

/** A client of any service, by the descriptor alone. */
export type FindPeer = (name: ServiceName, service: DescService) => object;

export function createRoutes(
  operations: readonly Operation[],
  peer: FindPeer,
  reading: Reading,
): RouteTree<Route> {
  const tree = new RouteTree<Route>();
  for (const operation of operations) {
    const call = callOf(operation, peer);
    for (const binding of operation.bindings) {
      tree.add(binding.method, binding.segments, { ...createRoute(operation, binding, call), ...reading });
    }
  }
  return tree;
}

function callOf({ desc, service }: Operation, peer: FindPeer): Route['call'] {
  const client = peer(service, desc.parent) as Record<string, Route['call']>;
  return client[desc.localName] as Route['call'];
}

function createRoute(
  operation: Operation,
  binding: Binding,
  call: Route['call'],
): Omit<Route, keyof Reading> {
  const { declared, desc } = operation;
  return {
    operation,
    method: binding.method,
    template: binding.template,
    parameters: binding.segments.flatMap(({ parameter }) => parameter ?? []),
    hasBody: binding.hasBody,
    hasRequestId: desc.input.fields.some((field) => field.name === 'request_id'),
    canWait: declared.longestWaitSeconds > 0,
    successStatus: declared.successStatus || 200,
    cacheControl:
      declared.maxAgeSeconds > 0 ? `private, max-age=${declared.maxAgeSeconds}` : 'private, no-cache',
    check: permissionOf(operation),
    scopes: scopesOf(operation),
    timeoutMs: declared.timeoutSeconds > 0 ? declared.timeoutSeconds * 1_000 : undefined,
    call,
  };
}

/** The methods that a path takes, for the Allow header. */
export function allowedMethods(routes: ReadonlyMap<string, Route>): string[] {
  const methods = [...routes.keys()];
  return [
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
    'OPTIONS',
  ];
}
