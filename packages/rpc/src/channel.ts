import type { Caller } from './caller.ts';
import type { Answer } from './dispatcher.ts';

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
  write(bytes: Uint8Array): void;
  end(): void;
  cancel(): void;
  answers: AsyncIterable<Uint8Array>;
}

/** A way to one service: inside this process or over gRPC. Both carry the same bytes. */
export interface Channel {
  /** Whether calls of hot methods are worth gathering: over the network, not within a process. */
  readonly remote: boolean;
  unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer>;
  bidi(path: string, outgoing: Outgoing): BidiStream;
  /** Resolves when the service answers its health check; rejects with the reason. */
  ready(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
