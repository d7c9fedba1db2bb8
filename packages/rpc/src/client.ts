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
import { createBatcher } from './batcher.ts';
import type { Call } from './call.ts';
import { anonymous, type Caller } from './caller.ts';
import type { Channel, Outgoing } from './channel.ts';
import type { Spoken } from './dispatcher.ts';
import { isBatched, isOnBehalf, isSafe, methodPath, slowRequests } from './method-path.ts';
import { observeCalled } from './observe.ts';
import type { ResponseMetadata } from './response-metadata.ts';
import { createSecondTry, isAway } from './second-try.ts';
import { deadlineExceeded } from './with-deadline.ts';

export interface CallOptions {
  /**
   * The call being served: the peer gets its remaining deadline, and its caller if the method is called on a caller's
   * behalf.
   */
  call?: Call;
  /** The caller, if no call is being served. */
  caller?: Caller;
  /** How long to wait, in milliseconds (default 5,000), or less if the served call has less left. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Receives the response metadata of the handler. */
  onMetadata?(metadata: ResponseMetadata): void;
}

type UnaryCall<M extends DescMethod> = (
  request: MessageInitShape<M['input']>,
  options?: CallOptions,
) => Promise<MessageShape<M['output']>>;

/** The caller's side of a bidirectional stream. */
export interface Stream<M extends DescMethod> {
  write(request: MessageInitShape<M['input']>): void;
  end(): void;
  cancel(): void;
  answers: AsyncIterable<MessageShape<M['output']>>;
}

type BidiCall<M extends DescMethod> = (options?: CallOptions) => Stream<M>;

/** One function per rpc, typed by the descriptor. */
export type Client<S extends DescService> = {
  [Name in keyof S['method']]: S['method'][Name] extends { methodKind: 'bidi_streaming' }
    ? BidiCall<S['method'][Name]>
    : UnaryCall<S['method'][Name]>;
};

export interface ClientOptions {
  channel: Channel;
  /** The calling service's name, which decides what it may call. */
  service: string;
  /** The called service's name, if several serve the same gRPC service. */
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
  const withSecondTry = createSecondTry();
  const client: Record<string, unknown> = {};

  const speaksForCallers = (desc: DescMethod) => options.service === 'gateway' || isOnBehalf(desc);

  function outgoing(onBehalf: boolean, callOptions: CallOptions, timeoutMs: number): Outgoing {
    const deadline = clock.now() + timeoutMs;
    const served = callOptions.call;
    return {
      caller: (onBehalf ? (callOptions.caller ?? served?.caller) : undefined) ?? anonymous,
      service: options.service,
      deadline: served === undefined ? deadline : Math.min(deadline, served.deadline - shaveMs),
      traceparent: undefined,
      signal: callOptions.signal,
    };
  }

  function unary(desc: DescMethod): UnaryCall<DescMethod> {
    const path = methodPath(desc, options.peer);
    const batched = channel.remote && isBatched(desc);
    const isSlow = slowRequests(desc);
    const onBehalf = speaksForCallers(desc);
    const safe = isSafe(desc);
    const tries = safe ? triesOfSafeMethods : 1;
    const speak = isBatched(desc) ? channel.speak : undefined;

    async function carry(message: Message, going: Outgoing): Promise<Spoken> {
      if (speak !== undefined) return speak(path, message, going);
      const send = batched && !isSlow(message) ? batcher.unary : channel.unary;
      const bytes = toBinary(desc.input, message);
      const ask = () => send(path, bytes, going);
      // Not batched: all batches in flight could be with the replica that is gone.
      const again = (signal: AbortSignal) => channel.unary(path, bytes, { ...going, signal });
      const answer = await (safe && channel.remote ? withSecondTry(ask, again) : ask());
      return { message: fromBinary(desc.output, answer.bytes), metadata: answer.metadata };
    }

    return async (request, callOptions = {}) => {
      const message = create(desc.input, request as Message);
      const going = outgoing(onBehalf, callOptions, callOptions.timeoutMs ?? defaultTimeoutMs);
      const answer = await observeCalled(path, async (traceparent) => {
        going.traceparent = traceparent;
        for (let attempt = 1; ; attempt += 1) {
          if (going.deadline <= clock.now()) throw deadlineExceeded();
          try {
            return await carry(message, going);
          } catch (error) {
            if (attempt >= tries || !isAway(error)) throw error;
          }
        }
      });
      callOptions.onMetadata?.(answer.metadata);
      return answer.message as MessageShape<DescMethod['output']>;
    };
  }

  function bidi(desc: DescMethod): BidiCall<DescMethod> {
    const path = methodPath(desc, options.peer);
    const onBehalf = speaksForCallers(desc);
    return (callOptions = {}) => {
      const stream = channel.bidi(
        path,
        desc,
        outgoing(onBehalf, callOptions, callOptions.timeoutMs ?? oneDayMs),
      );
      return {
        ...stream,
        write: (request) => stream.write(create(desc.input, request as Message)),
      };
    };
  }

  for (const desc of service.methods) {
    client[desc.localName] = desc.methodKind === 'bidi_streaming' ? bidi(desc) : unary(desc);
  }
  return client as Client<S>;
}
