import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { Clock } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { createBatcher } from './batcher.ts';
import type { Call } from './call.ts';
import { anonymous, type Caller } from './caller.ts';
import type { Channel, Outgoing } from './channel.ts';
import { isBatched, isOnBehalf, isSafe, methodPath } from './method-path.ts';
import { observeCalled } from './observe.ts';
import type { ResponseMetadata } from './response-metadata.ts';
import { deadlineExceeded } from './with-deadline.ts';

export interface CallOptions {
  /** The call being served: what is left of its deadline goes on to the peer, and its caller where the method is called on behalf of one. */
  call?: Call;
  /** On whose behalf, when there is no call being served. */
  caller?: Caller;
  /** The longest to wait, in milliseconds (default 5,000), less when the served call has less left. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Receives what the handler said beside its answer. */
  onMetadata?(metadata: ResponseMetadata): void;
}

type UnaryCall<M extends DescMethod> = (
  request: MessageInitShape<M['input']>,
  options?: CallOptions,
) => Promise<MessageShape<M['output']>>;

/** A stream of both directions as its caller holds it. */
export interface Stream<M extends DescMethod> {
  write(request: MessageInitShape<M['input']>): void;
  end(): void;
  cancel(): void;
  answers: AsyncIterable<MessageShape<M['output']>>;
}

type BidiCall<M extends DescMethod> = (options?: CallOptions) => Stream<M>;

/** One function for each rpc, typed by the descriptor. */
export type Client<S extends DescService> = {
  [Name in keyof S['method']]: S['method'][Name] extends { methodKind: 'bidi_streaming' }
    ? BidiCall<S['method'][Name]>
    : UnaryCall<S['method'][Name]>;
};

export interface ClientOptions {
  channel: Channel;
  /** The calling service's name, by which the peer decides what it may call. */
  service: string;
  /** The called service's name, where several serve the same. */
  peer?: string;
  clock: Clock;
}

const defaultTimeoutMs = 5_000;
/** Each hop keeps this much for itself, so that the inner deadline is the one reported. */
const shaveMs = 20;
const triesOfSafeMethods = 3;
const oneDayMs = 86_400_000;

export function createClient<S extends DescService>(service: S, options: ClientOptions): Client<S> {
  const { channel, clock } = options;
  const batcher = createBatcher(channel, options.service, clock);
  const client: Record<string, unknown> = {};

  function outgoing(desc: DescMethod, callOptions: CallOptions, timeoutMs: number): Outgoing {
    const deadline = clock.now() + timeoutMs;
    const served = callOptions.call;
    const asserts = options.service === 'gateway' || isOnBehalf(desc);
    return {
      caller: (asserts ? (callOptions.caller ?? served?.caller) : undefined) ?? anonymous,
      service: options.service,
      deadline: served === undefined ? deadline : Math.min(deadline, served.deadline - shaveMs),
      traceparent: undefined,
      signal: callOptions.signal,
    };
  }

  function unary(desc: DescMethod): UnaryCall<DescMethod> {
    const path = methodPath(desc, options.peer);
    const send = channel.remote && isBatched(desc) ? batcher.unary : channel.unary;
    const tries = isSafe(desc) ? triesOfSafeMethods : 1;
    return async (request, callOptions = {}) => {
      const bytes = toBinary(desc.input, create(desc.input, request as Message));
      const going = outgoing(desc, callOptions, callOptions.timeoutMs ?? defaultTimeoutMs);
      const answer = await observeCalled(path, async (traceparent) => {
        going.traceparent = traceparent;
        for (let attempt = 1; ; attempt += 1) {
          if (going.deadline <= clock.now()) throw deadlineExceeded();
          try {
            return await send(path, bytes, going);
          } catch (error) {
            if (attempt >= tries || !isHearthError(error) || error.kind !== 'unavailable') throw error;
          }
        }
      });
      callOptions.onMetadata?.(answer.metadata);
      return fromBinary(desc.output, answer.bytes);
    };
  }

  function bidi(desc: DescMethod): BidiCall<DescMethod> {
    const path = methodPath(desc, options.peer);
    return (callOptions = {}) => {
      const stream = channel.bidi(path, outgoing(desc, callOptions, callOptions.timeoutMs ?? oneDayMs));
      return {
        write: (request) => stream.write(toBinary(desc.input, create(desc.input, request as Message))),
        end: stream.end,
        cancel: stream.cancel,
        answers: decodeEach(desc, stream.answers),
      };
    };
  }

  for (const desc of service.methods) {
    client[desc.localName] = desc.methodKind === 'bidi_streaming' ? bidi(desc) : unary(desc);
  }
  return client as Client<S>;
}

async function* decodeEach(desc: DescMethod, answers: AsyncIterable<Uint8Array>): AsyncIterable<Message> {
  for await (const bytes of answers) yield fromBinary(desc.output, bytes);
}
