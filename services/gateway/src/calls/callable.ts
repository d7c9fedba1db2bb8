import type { DescService, Message } from '@bufbuild/protobuf';
import type { CallOptions } from '@hearth/rpc';
import type { ServiceName } from '@hearth/runtime';
import { type CheckPermission, permissionOf, scopesOf } from '../credentials/module.ts';
import type { Operation } from '../operations/module.ts';

/** An operation prepared at startup for calls over REST and MCP. */
export interface Callable {
  operation: Operation;
  /** Whether the request may be held. */
  canWait: boolean;
  /** Whether it returns a page of a list. */
  lists: boolean;
  /** Whether it changes nothing. */
  readsOnly: boolean;
  check: CheckPermission;
  /** The scopes that it needs, by their OAuth names. */
  scopes: readonly string[];
  /** Timeout in milliseconds; undefined for the default. */
  timeoutMs: number | undefined;
  call(request: Message, options: CallOptions): Promise<Message>;
}

/** Creates a client of any service from its descriptor. */
export type FindPeer = (name: ServiceName, service: DescService) => object;

export function createCallable(operation: Operation, peer: FindPeer): Callable {
  const { bindings, declared, desc, service } = operation;
  const client = peer(service, desc.parent) as Record<string, Callable['call']>;
  return {
    operation,
    canWait: declared.longestWaitSeconds > 0,
    lists: desc.output.fields.some(({ name }) => name === 'next_cursor' || name === 'has_more'),
    readsOnly: bindings[0]?.method === 'GET',
    check: permissionOf(operation),
    // Where either of two scopes is enough, a client requests the usual one.
    scopes: scopesOf(operation).slice(0, 1),
    timeoutMs: declared.timeoutSeconds > 0 ? declared.timeoutSeconds * 1_000 : undefined,
    call: client[desc.localName] as Callable['call'],
  };
}
