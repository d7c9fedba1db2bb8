import type {
  DescMethodUnary,
  DescService,
  Message,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { JsonRecord, Reader } from '@hearth/proto-json';
import type { Caller, CallOptions } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { serviceOf } from '../operations/module.ts';

/** Calls the rpcs of all services by their descriptors. */
export interface Services {
  ask<M extends DescMethodUnary>(
    method: M,
    request: MessageInitShape<M['input']>,
    caller: Caller,
    options?: Pick<CallOptions, 'onMetadata'>,
  ): Promise<MessageShape<M['output']>>;
  /** Parses a form's request by the operation's rules, as the API does. */
  read<M extends DescMethodUnary>(method: M, json: JsonRecord): MessageShape<M['input']>;
  /** Parses a form's request and calls the method. */
  send<M extends DescMethodUnary>(
    method: M,
    json: JsonRecord,
    caller: Caller,
  ): Promise<MessageShape<M['output']>>;
}

type AnyClient = Record<string, (request: object, options: CallOptions) => Promise<Message>>;

export function createServices(peer: Host['peer'], reader: Reader): Services {
  const clients = new Map<DescService, AnyClient>();

  function ask(
    method: DescMethodUnary,
    request: object,
    caller: Caller,
    options: CallOptions = {},
  ): Promise<Message> {
    const { parent } = method;
    const client = clients.get(parent) ?? (peer(serviceOf(parent), parent) as AnyClient);
    clients.set(parent, client);
    return client[method.localName]!(request, { ...options, caller });
  }

  return {
    ask,
    read: (method, json) => reader.readMessage(method.input, json),
    send: async (method, json, caller) => await ask(method, reader.readMessage(method.input, json), caller),
  } as Services;
}
