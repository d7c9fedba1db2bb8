import type { ErrorCode } from './codes.ts';
import type { ErrorKind } from './kinds.ts';

/** Details of an error besides its words; each becomes a member of the error body. */
export interface ErrorDetails {
  /** Machine-readable reason. */
  code?: ErrorCode;
  /** The request field at fault, as the caller wrote it (`with[2].slots`). */
  field?: string;
  /** True when a person must answer instead of the calling AI. */
  needsPerson?: boolean;
  /** The name of the limit that was reached, as GET /limits lists it. */
  limit?: string;
  /** When that limit resets. */
  resetsAt?: Date;
  /** The scopes that would be needed, all of them. */
  scopes?: string[];
  /** The methods that a path takes (405). */
  allow?: string[];
  /** The instants that an ambiguous local time could mean. */
  readings?: string[];
  /** The starts of free times, when the requested one is taken. */
  free?: string[];
  /** Why an address did not answer as it must: one word of a short list ("timeout"). */
  reason?: string;
  cause?: unknown;
}

/**
 * The one error type of the project. Its message is a sentence that the caller can act on and is
 * shown to them as it stands, except for kind `internal`, which is logged and never shown.
 */
export class HearthError extends Error {
  override readonly name = 'HearthError';
  readonly kind: ErrorKind;
  readonly details: Omit<ErrorDetails, 'cause'>;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    const { cause, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.details = rest;
  }
}

export function isHearthError(value: unknown): value is HearthError {
  return value instanceof HearthError;
}

/** Anything thrown, as a HearthError: what is not one already becomes `internal`, with its cause kept for the log. */
export function asHearthError(thrown: unknown): HearthError {
  if (isHearthError(thrown)) return thrown;
  return new HearthError('internal', 'something went wrong inside the home', {
    code: 'internal',
    cause: thrown,
  });
}
