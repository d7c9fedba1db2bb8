import type { ErrorCode } from './codes.ts';
import type { ErrorKind } from './kinds.ts';
import type { Rule } from './rules.ts';

/** Details of an error. Those for programs become members of the error body. */
export interface ErrorDetails {
  /** Machine-readable reason. */
  code?: ErrorCode;
  /** The request field at fault, as the caller wrote it (`with[2].slots`). */
  field?: string;
  /** True when a person must answer instead of the calling AI. */
  needsPerson?: boolean;
  /** The limit that was reached, as named in GET /limits. */
  limit?: string;
  /** When that limit resets. */
  resetsAt?: Date;
  /** All required scopes. */
  scopes?: string[];
  /** The methods that a path allows (405). */
  allow?: string[];
  /** The possible instants of an ambiguous local time. */
  readings?: string[];
  /** Starts of free times, if the requested one is taken. */
  free?: string[];
  /** The bounds that the field's value must keep to. */
  range?: Range;
  /** The rule that refused the request, finer than `code`. */
  rule?: Rule;
  /** Why a callback address failed its check, as one word of a fixed list ("timeout"); the operator's words for a suspension. */
  reason?: string;
  cause?: unknown;
}

/** The bounds of a text in characters, of a list in items, or of a number. */
export interface Range {
  of: 'characters' | 'items' | 'number';
  least: number;
  most: number;
}

/**
 * The project's only error type. Its message is a sentence that the caller can act on and is shown to them,
 * except for kind `internal`, which is logged and never shown.
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

/** Converts a thrown value to a HearthError; anything else becomes `internal`, with its cause kept for the log. */
export function asHearthError(thrown: unknown): HearthError {
  if (isHearthError(thrown)) return thrown;
  return new HearthError('internal', 'something went wrong inside the home', {
    code: 'internal',
    cause: thrown,
  });
}
