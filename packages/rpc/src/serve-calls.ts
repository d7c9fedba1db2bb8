import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { asHearthError } from '@hearth/errors';
import { type CallsRequest, CallsRequestSchema, CallsResponseSchema } from '@hearth/proto/batch/v1/batch';
import { asBuffer } from './as-buffer.ts';
import { refused } from './authenticate.ts';
import type { IncomingCall } from './call.ts';
import type { Answer } from './dispatcher.ts';
import { toErrorInfo } from './error-info.ts';
import { type Arrival, type Claim, type refusals, toIncoming } from './metadata.ts';
import { hasMetadata } from './response-metadata.ts';

export interface ServeCallsOptions {
  /** The stream's caller, by its own proof. */
  from: Pick<Arrival, 'service' | 'peer'>;
  /** Checks the proof of one call. */
  read(claim: Claim, path: string, request: Uint8Array): Arrival | keyof typeof refusals;
  answer(path: string, request: Uint8Array, incoming: IncomingCall): Promise<Answer>;
  now(): number;
  /** Aborted when the server stops: further calls must go elsewhere. */
  stopping: AbortSignal;
}

/** Serves a stream's calls concurrently, each by its own proof, until the caller ends the stream. */
export function serveCalls(
  stream: ServerDuplexStream<Buffer, Uint8Array>,
  { from, read, answer, now, stopping }: ServeCallsOptions,
): void {
  let open = 0;
  let ended = false;
  let refusedAll = false;

  function write(frame: MessageInitShape<typeof CallsResponseSchema>): void {
    if (!stream.cancelled && !refusedAll)
      stream.write(toBinary(CallsResponseSchema, create(CallsResponseSchema, frame)));
  }
  function refuse(why: keyof typeof refusals): void {
    refusedAll = true;
    stream.emit('error', refused(why));
  }
  const close = () => write({ closing: true });
  const forget = () => stopping.removeEventListener('abort', close);
  const endWhenAnswered = () => {
    if (ended && open === 0) stream.end();
  };

  const claimOf = ({ caller, proof, traceparent }: CallsRequest): Claim => ({
    ...from,
    principal: asBuffer(caller),
    proof: asBuffer(proof),
    traceparent: traceparent || undefined,
  });

  async function resultOf(method: string, request: Uint8Array, arrival: Arrival) {
    try {
      const incoming = toIncoming(arrival, Number.POSITIVE_INFINITY, now());
      const { bytes: response, metadata } = await answer(method, request, incoming);
      return { response, ...(hasMetadata(metadata) && { metadata }) };
    } catch (thrown) {
      return { error: toErrorInfo(asHearthError(thrown)) };
    }
  }

  stream.on('data', (bytes: Buffer) => {
    if (refusedAll) return;
    const frame = readFrame(bytes);
    if (frame === null) return refuse('stranger');
    const { id, method, request } = frame;
    const arrival = read(claimOf(frame), method, request);
    if (typeof arrival === 'string') return refuse(arrival);
    open += 1;
    void resultOf(method, request, arrival).then((result) => {
      open -= 1;
      write({ id, result });
      endWhenAnswered();
    });
  });
  stream.on('end', () => {
    ended = true;
    forget();
    endWhenAnswered();
  });
  stream.on('cancelled', forget);
  if (stopping.aborted) close();
  else stopping.addEventListener('abort', close, { once: true });
}

/** Null if the bytes are not a frame. */
function readFrame(bytes: Buffer): CallsRequest | null {
  try {
    return fromBinary(CallsRequestSchema, bytes);
  } catch {
    return null;
  }
}
