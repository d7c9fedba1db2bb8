import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { asHearthError } from '@hearth/errors';
import {
  BatchRequestSchema,
  BatchResponseSchema,
  type Call,
  type ResultSchema,
} from '@hearth/proto/batch/v1/batch';
import type { IncomingCall } from './call.ts';
import { decodeCaller } from './caller.ts';
import type { Answer, Dispatcher } from './dispatcher.ts';
import { toErrorInfo } from './error-info.ts';
import { hasMetadata, noMetadata } from './response-metadata.ts';
import { withDeadline } from './with-deadline.ts';

/** The most bytes of a batch's answers together; the largest gRPC message is eight times as large. */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Answers the calls of one batch concurrently; each has its own caller, deadline, errors and metadata. If their answers
 * together become too large, calls that change nothing are to be repeated individually.
 */
export async function serveBatch(
  dispatcher: Dispatcher,
  request: Uint8Array,
  incoming: IncomingCall,
  now: number,
): Promise<Answer> {
  const { calls } = fromBinary(BatchRequestSchema, request);
  const results = await Promise.all(calls.map((call) => serveOne(dispatcher, call, incoming, now)));
  let total = 0;
  for (const [index, { response }] of results.entries()) {
    total += response?.length ?? 0;
    if (total > maxAnswerBytes && response !== undefined && dispatcher.isSafe(calls[index]!.method)) {
      total -= response.length;
      results[index] = { alone: true };
    }
  }
  return {
    bytes: toBinary(BatchResponseSchema, create(BatchResponseSchema, { results })),
    metadata: noMetadata(),
  };
}

async function serveOne(
  dispatcher: Dispatcher,
  call: Call,
  incoming: IncomingCall,
  now: number,
): Promise<MessageInitShape<typeof ResultSchema>> {
  try {
    // A slow call must not hold up the others' answers beyond its own deadline.
    const served = dispatcher.unary(call.method, call.request, {
      caller: decodeCaller(call.caller),
      service: incoming.service,
      deadline: now + call.timeoutMs,
      traceparent: call.traceparent || undefined,
    });
    const { bytes, metadata } = await withDeadline(served, call.timeoutMs);
    return { response: bytes, ...(hasMetadata(metadata) && { metadata }) };
  } catch (thrown) {
    return { error: toErrorInfo(asHearthError(thrown)) };
  }
}
