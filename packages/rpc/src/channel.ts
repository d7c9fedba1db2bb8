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

/**
 * A way to one service: within this process or over gRPC. Both carry the same bytes; within a process, hot methods and
 * streams skip encoding.
 */
export interface Channel {
  /** Whether batching calls of hot methods pays off: over the network, not within a process. */
  readonly remote: boolean;
  unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer>;
  /** Within a process, for hot methods: passes the messages themselves, which neither side may change afterwards. */
  speak?(path: string, request: Message, outgoing: Outgoing): Promise<Spoken>;
  /** Neither side may change a message after writing it. */
  bidi(path: string, desc: DescMethod, outgoing: Outgoing): BidiStream;
  /**
   * Resolves once the service answers its health check; rejects with the reason: `unauthenticated` if it refuses this
   * process's calls.
   */
  ready(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
