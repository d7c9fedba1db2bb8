import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Clock } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { internal } from '@hearth/errors';
import { BatchRequestSchema, BatchResponseSchema, BatchService } from '@hearth/proto/batch/v1/batch';
import { anyone, encodeCaller } from './caller.ts';
import type { Channel, Outgoing } from './channel.ts';
import type { Answer } from './dispatcher.ts';
import { fromErrorInfo } from './error-info.ts';
import { noMarks } from './marks.ts';
import { methodPath } from './method-path.ts';

interface Waiting {
  path: string;
  request: Uint8Array;
  outgoing: Outgoing;
}

export const batchPath = methodPath(BatchService.method.batch);

/**
 * Sends the calls that arrive while earlier ones are in flight together, at most two batches out at once:
 * a unary gRPC call costs about 100 µs, so that a busy process pays it once for many.
 * Each method has its own lane, so that a slow method does not hold up a quick one.
 */
export function createBatcher(channel: Channel, service: string, clock: Clock): Pick<Channel, 'unary'> {
  const lanes = new Map<string, ReturnType<typeof createLane>>();

  function createLane(path: string) {
    return createCoalescer<Waiting, Answer>({
      maxInFlight: 2,
      maxBatch: 256,
      run: (calls) => sendBatch(calls),
      name: `batch ${path.slice(1)}`,
    });
  }

  async function sendBatch(calls: Waiting[]): Promise<(Answer | Error)[]> {
    const now = clock.now();
    // A call alone pays for no envelope.
    if (calls.length === 1) {
      const [{ path, request, outgoing }] = calls as [Waiting];
      return [await channel.unary(path, request, outgoing).catch((error: Error) => error)];
    }
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
      caller: anyone,
      service,
      deadline: Math.max(...calls.map((call) => call.outgoing.deadline)),
      traceparent: undefined,
    });
    const { results } = fromBinary(BatchResponseSchema, answer.bytes);
    return calls.map((_, index) => {
      const result = results[index];
      if (result === undefined) return internal('a batch came back short');
      if (result.error !== undefined) return fromErrorInfo(result.error);
      return { bytes: result.response, marks: result.marks ?? noMarks() };
    });
  }

  return {
    unary(path, request, outgoing) {
      let lane = lanes.get(path);
      if (lane === undefined) {
        lane = createLane(path);
        lanes.set(path, lane);
      }
      return lane.add({ path, request, outgoing });
    },
  };
}
