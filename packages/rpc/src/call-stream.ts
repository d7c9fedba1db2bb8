import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { unavailable } from '@hearth/errors';
import { CallsRequestSchema, CallsResponseSchema } from '@hearth/proto/batch/v1/batch';
import type { Outgoing } from './channel.ts';
import type { Answer } from './dispatcher.ts';
import { fromErrorInfo } from './error-info.ts';
import type { Claim } from './metadata.ts';
import { noMetadata } from './response-metadata.ts';
import { withDeadline } from './with-deadline.ts';

export type ByteStream = ClientDuplexStream<Uint8Array, Buffer>;

export interface CallStreamsOptions {
  /**
   * Opens a stream to one of the peer's processes, a different one each time if there are several. Its calls are from
   * that service.
   */
  open(service: string): ByteStream;
  prove(path: string, request: Uint8Array, outgoing: Outgoing): Pick<Claim, 'principal' | 'proof'>;
  toError(error: ServiceError): Error;
  /** The error of a call whose stream ended before its answer. */
  gone(): Error;
  now(): number;
  /**
   * The age at which a stream is replaced, so that new processes of the peer get their share. An unused stream ends
   * earlier.
   */
  freshMs: number;
}

/** Calls to one peer over a few long-lived streams in turn, so that all of its processes get their share. */
export interface CallStreams {
  unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer>;
  /** Ends each stream once its calls are answered. */
  close(): void;
}

/** Divides evenly among 2, 3 and 6 processes. */
const mostStreams = 6;
const mostOpen = 10_000;

interface CallStream {
  /** False once it accepts no further calls. */
  readonly open: boolean;
  readonly openedAt: number;
  /** Returns the calls since the last time. */
  takeCount(): number;
  ask(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer>;
  /** Accepts no further calls, and ends once the pending ones are answered. */
  drain(): void;
}

export function createCallStreams(options: CallStreamsOptions): CallStreams {
  /** By calling service and stream number. */
  const streams = new Map<string, CallStream>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    for (const [name, stream] of streams) {
      const old = options.now() - stream.openedAt >= options.freshMs;
      if (stream.open && stream.takeCount() > 0 && !old) continue;
      stream.drain();
      streams.delete(name);
    }
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    unary(path, request, outgoing) {
      turn = (turn + 1) % mostStreams;
      const name = `${outgoing.service} ${turn}`;
      let stream = streams.get(name);
      if (!stream?.open) {
        stream = openStream(options, outgoing.service);
        streams.set(name, stream);
        timer ??= setInterval(tick, options.freshMs / 3).unref();
      }
      return stream.ask(path, request, outgoing);
    },
    close() {
      clearInterval(timer);
      for (const stream of streams.values()) stream.drain();
    },
  };
}

interface PendingCall {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

function openStream(
  { open: openBytes, prove, toError, gone, now }: CallStreamsOptions,
  service: string,
): CallStream {
  const stream = openBytes(service);
  const waiting = new Map<number, PendingCall>();
  let open = true;
  let ended = false;
  let lastId = 0;
  let calls = 0;

  const endWhenAnswered = () => {
    if (open || ended || waiting.size > 0) return;
    ended = true;
    stream.end();
  };
  const drain = () => {
    open = false;
    endWhenAnswered();
  };
  const fail = (error: unknown) => {
    open = false;
    ended = true;
    for (const { reject } of waiting.values()) reject(error);
  };

  stream.on('data', (bytes: Buffer) => {
    const { id, result, closing } = fromBinary(CallsResponseSchema, bytes);
    if (closing) return drain();
    const asked = waiting.get(id);
    if (result?.error !== undefined) asked?.reject(fromErrorInfo(result.error));
    else if (result !== undefined)
      asked?.resolve({ bytes: result.response, metadata: result.metadata ?? noMetadata() });
  });
  stream.on('error', (error: ServiceError) => fail(toError(error)));
  stream.on('end', () => fail(gone()));

  return {
    get open() {
      return open;
    },
    openedAt: now(),
    takeCount() {
      const before = calls;
      calls = 0;
      return before;
    },
    drain,
    async ask(path, request, outgoing) {
      if (waiting.size >= mostOpen) throw unavailable('the home is busy; try again in a moment');
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const { principal: caller, proof } = prove(path, request, outgoing);
      const { signal, traceparent } = outgoing;
      calls += 1;
      lastId = (lastId + 1) >>> 0;
      const id = lastId;
      const frame = create(CallsRequestSchema, { id, method: path, request, caller, proof, traceparent });
      waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => reject(gone()), { once: true });
      stream.write(toBinary(CallsRequestSchema, frame));
      try {
        return await withDeadline(promise, outgoing.deadline - now());
      } finally {
        waiting.delete(id);
        endWhenAnswered();
      }
    },
  };
}
