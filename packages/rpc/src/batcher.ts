import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Clock } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { internal } from '@hearth/errors';
import { BatchRequestSchema, BatchResponseSchema, BatchService } from '@hearth/proto/batch/v1/batch';
import { anonymous, encodeCaller } from './caller.ts';
import type { Channel, Outgoing } from './channel.ts';
import type { Answer } from './dispatcher.ts';
import { fromErrorInfo } from './error-info.ts';
import { methodPath } from './method-path.ts';
import { noMetadata } from './response-metadata.ts';

interface QueuedCall {
  path: string;
  request: Uint8Array;
  outgoing: Outgoing;
}

/** The most bytes of a batch's requests together; the largest gRPC message is eight times as large. */
const maxRequestBytes = 4 * 1024 * 1024;

export const batchPath = methodPath(BatchService.method.batch);
export const callsPath = methodPath(BatchService.method.calls);

/**
 * Batches the calls that arrive while earlier batches are in flight, at most two at once: a call costs some 60 µs
 * however small it is, so a busy process pays that once for many. Each method has its own queue, so that slow methods
 * do not hold up quick ones.
 */
export function createBatcher(channel: Channel, service: string, clock: Clock): Pick<Channel, 'unary'> {
  const queues = new Map<string, ReturnType<typeof createQueue>>();

  function createQueue(path: string) {
    return createCoalescer<QueuedCall, Answer>({
      maxInFlight: 2,
      spacingMs: 1,
      maxBatch: 256,
      run: sendAll,
      name: `batch ${path.slice(1)}`,
    });
  }

  /** A single call needs no envelope. */
  function sendAlone({ path, request, outgoing }: QueuedCall): Promise<Answer | Error> {
    return channel.unary(path, request, outgoing).catch((error: Error) => error);
  }

  async function sendAll(calls: QueuedCall[]): Promise<(Answer | Error)[]> {
    const answers = await Promise.all(
      bySize(calls).map((part) => (part.length === 1 ? Promise.all(part.map(sendAlone)) : sendBatch(part))),
    );
    return answers.flat();
  }

  async function sendBatch(calls: QueuedCall[]): Promise<(Answer | Error)[]> {
    const now = clock.now();
    const batch = create(BatchRequestSchema, {
      calls: calls.map(({ path, request, outgoing }) => ({
        method: path,
        request,
        caller: encodeCaller(outgoing.caller),
        timeoutMs: Math.max(1, outgoing.deadline - now),
        traceparent: outgoing.traceparent ?? '',
      })),
    });
    const answer = await channel.unary(batchPath, toBinary(BatchRequestSchema, batch), {
      caller: anonymous,
      service,
      deadline: Math.max(...calls.map((call) => call.outgoing.deadline)),
      traceparent: undefined,
    });
    const { results } = fromBinary(BatchResponseSchema, answer.bytes);
    const answerOf = (call: QueuedCall, index: number): Promise<Answer | Error> | Answer | Error => {
      const result = results[index];
      if (result === undefined) return internal('a batch came back short');
      if (result.alone) return sendAlone(call);
      if (result.error !== undefined) return fromErrorInfo(result.error);
      return { bytes: result.response, metadata: result.metadata ?? noMetadata() };
    };
    return Promise.all(calls.map(answerOf));
  }

  return {
    unary(path, request, outgoing) {
      let queue = queues.get(path);
      if (queue === undefined) {
        queue = createQueue(path);
        queues.set(path, queue);
      }
      return queue.add({ path, request, outgoing });
    },
  };
}

/** Splits calls, in order, into as few parts as the size bound allows. */
function bySize(calls: QueuedCall[]): QueuedCall[][] {
  const parts: QueuedCall[][] = [[]];
  let bytes = 0;
  for (const call of calls) {
    bytes += call.request.length;
    if (bytes > maxRequestBytes && parts.at(-1)!.length > 0) {
      parts.push([]);
      bytes = call.request.length;
    }
    parts.at(-1)!.push(call);
  }
  return parts;
}
