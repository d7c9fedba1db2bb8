import { type Reader, rulesOf } from '@hearth/proto-json';
import { type Callable, createCallable, type FindPeer } from '../calls/module.ts';
import type { Binding, HttpMethod, Operation } from '../operations/module.ts';
import { RouteTree } from './route-tree.ts';

/** How requests are parsed, the same for every route. */
export interface Reading {
  maxBodyBytes: number;
  reader: Reader;
}

/** Everything that requests of one operation need, prepared at startup. */
export interface Route extends Callable, Reading {
  method: HttpMethod;
  template: string;
  /** The names of the path's parameters, in order. */
  parameters: readonly string[];
  hasBody: boolean;
  /** Whether the operation has a request_id, which may also come as a header. */
  hasRequestId: boolean;
  successStatus: number;
  /** Cache-Control of answers with an ETag: private to the caller. */
  cacheControl: string;
}

/** Room in a body around its largest member. */
const aroundBytes = 1_024;

export function createRoutes(
  operations: readonly Operation[],
  peer: FindPeer,
  reading: Reading,
): RouteTree<Route> {
  const tree = new RouteTree<Route>();
  for (const operation of operations) {
    const callable = createCallable(operation, peer);
    for (const binding of operation.bindings) {
      tree.add(binding.method, binding.segments, {
        ...createRoute(callable, binding),
        ...reading,
        maxBodyBytes: bodyBytes(callable, reading),
      });
    }
  }
  return tree;
}

/** The body limit, large enough for free-form JSON of a declared size, however small the home's own limit is. */
function bodyBytes({ operation }: Callable, { maxBodyBytes }: Reading): number {
  const declared = operation.desc.input.fields.map((field) => rulesOf(field).maxJsonBytes);
  const largest = Math.max(0, ...declared);
  return largest === 0 ? maxBodyBytes : Math.max(maxBodyBytes, largest + aroundBytes);
}

function createRoute(callable: Callable, binding: Binding): Omit<Route, keyof Reading> {
  const { declared, desc } = callable.operation;
  return {
    ...callable,
    method: binding.method,
    template: binding.template,
    parameters: binding.segments.flatMap(({ parameter }) => parameter ?? []),
    hasBody: binding.hasBody,
    hasRequestId: desc.input.fields.some((field) => field.name === 'request_id'),
    readsOnly: binding.method === 'GET',
    successStatus: declared.successStatus || 200,
    cacheControl:
      declared.maxAgeSeconds > 0 ? `private, max-age=${declared.maxAgeSeconds}` : 'private, no-cache',
  };
}

/** The methods of a path, for the Allow header. */
export function allowedMethods(routes: ReadonlyMap<string, unknown>): string[] {
  const methods = [...routes.keys()];
  return [
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
    'OPTIONS',
  ];
}
