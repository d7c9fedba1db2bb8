import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { Caller } from './caller.ts';
import type { Answer, Spoken } from './dispatcher.ts';

/** The context that travels with a request. */
export interface Outgoing {
  caller: Caller;
  /** The calling service's name. */
  service: string;
  /** Milliseconds since 1970. */
  deadline: number;
  traceparent: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface BidiStream {
  write(request: Message): void;
  end(): void;
  cancel(): void;
  answers: AsyncIterable<Message>;
}

/** A way to one service: inside this process or over gRPC. Both carry the same bytes; within a process, hot methods and streams go without. */
export interface Channel {
  /** Whether calls of hot methods are worth gathering: over the network, not within a process. */
  readonly remote: boolean;
  unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer>;
  /** Within a process, for hot methods: hands over the messages themselves, which neither side changes any more. */
  speak?(path: string, request: Message, outgoing: Outgoing): Promise<Spoken>;
  /** Neither side changes a message that it has written. */
  bidi(path: string, desc: DescMethod, outgoing: Outgoing): BidiStream;
  /** Resolves when the service answers its health check; rejects with the reason: `unauthenticated` when it refuses the calls of this process. */
  ready(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
