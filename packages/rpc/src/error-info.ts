import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type ErrorCode,
  type ErrorKind,
  errorKinds,
  HearthError,
  isHearthError,
  type Range,
  rules,
} from '@hearth/errors';
import {
  type ErrorInfo,
  ErrorInfoSchema,
  type ErrorRange,
  ErrorRangeSchema,
} from '@hearth/proto/common/v1/caller';

/** A HearthError travels in full, as one binary metadata entry besides the gRPC status. */
export const errorKey = 'hearth-error-bin';

export function toErrorInfo(error: HearthError): ErrorInfo {
  const { details } = error;
  return create(ErrorInfoSchema, {
    kind: error.kind,
    message: error.message,
    code: details.code ?? '',
    field: details.field ?? '',
    needsPerson: details.needsPerson ?? false,
    limit: details.limit ?? '',
    resetsAt: BigInt(details.resetsAt?.getTime() ?? 0),
    scopes: details.scopes ?? [],
    reason: details.reason ?? '',
    readings: details.readings ?? [],
    free: details.free ?? [],
    ...(details.range !== undefined && { range: create(ErrorRangeSchema, details.range) }),
    rule: details.rule ?? '',
  });
}

export function fromErrorInfo(info: ErrorInfo): HearthError {
  const rule = rules.find((known) => known === info.rule);
  const kind = (info.kind in errorKinds ? info.kind : 'internal') as ErrorKind;
  return new HearthError(kind, info.message, {
    ...(info.code !== '' && { code: info.code as ErrorCode }),
    ...(info.field !== '' && { field: info.field }),
    ...(info.needsPerson && { needsPerson: true }),
    ...(info.limit !== '' && { limit: info.limit }),
    ...(info.resetsAt !== 0n && { resetsAt: new Date(Number(info.resetsAt)) }),
    ...(info.scopes.length > 0 && { scopes: info.scopes }),
    ...(info.reason !== '' && { reason: info.reason }),
    ...(info.readings.length > 0 && { readings: info.readings }),
    ...(info.free.length > 0 && { free: info.free }),
    ...(info.range !== undefined && { range: rangeOf(info.range) }),
    ...(rule !== undefined && { rule }),
  });
}

const rangeOf = ({ of, least, most }: ErrorRange) => ({ of: of as Range['of'], least, most });

export function encodeError(error: HearthError): Buffer {
  return Buffer.from(toBinary(ErrorInfoSchema, toErrorInfo(error)));
}

export function decodeError(bytes: Uint8Array): HearthError {
  return fromErrorInfo(fromBinary(ErrorInfoSchema, bytes));
}

/** A gRPC failure without a HearthError: the network, a peer that is gone, a deadline. */
export function fromGrpcStatus(code: number, peer: string, cause: unknown): HearthError {
  if (isHearthError(cause)) return cause;
  if (code === errorKinds.deadline_exceeded.grpc) {
    return new HearthError('deadline_exceeded', 'the home took too long to answer; try again in a moment', {
      cause,
    });
  }
  // A caller learns nothing more about a peer that refuses this process: the fault is between the services.
  const isAway = code === errorKinds.unavailable.grpc || code === errorKinds.unauthenticated.grpc;
  if (isAway || code === 1) {
    return new HearthError(
      'unavailable',
      `a part of the home (${peer}) cannot be reached just now; try again in a moment`,
      {
        code: 'unavailable',
        cause,
      },
    );
  }
  return new HearthError('internal', `call of ${peer} failed`, { code: 'internal', cause });
}
