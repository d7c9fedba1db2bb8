import { isHearthError } from '@hearth/errors';

/** An error as logged. */
export interface SerialisedError {
  type: string;
  message: string;
  /** The kind, code and field of a HearthError; the code of a Node or driver error. */
  kind?: string;
  code?: string | number;
  field?: string;
  stack?: string;
  cause?: SerialisedError;
  /** The first five errors of an AggregateError. */
  errors?: SerialisedError[];
}

const maxCauses = 5;

/**
 * Serialises an error for log fields; `withStack` adds the stack and the causes with theirs. Other members are left
 * out, because drivers put rows and requests there.
 */
export function serialiseError(error: Error, withStack: boolean, depth = 0): SerialisedError {
  const serialised: SerialisedError = { type: error.name, message: error.message };
  if (isHearthError(error)) {
    serialised.kind = error.kind;
    if (error.details.code !== undefined) serialised.code = error.details.code;
    if (error.details.field !== undefined) serialised.field = error.details.field;
  } else if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
    serialised.code = error.code;
  }
  if (!withStack) return serialised;
  if (error.stack !== undefined) serialised.stack = error.stack;
  if (depth >= maxCauses) return serialised;
  if (error.cause !== undefined) serialised.cause = serialiseError(asError(error.cause), true, depth + 1);
  if (error instanceof AggregateError) {
    serialised.errors = error.errors
      .slice(0, 5)
      .map((cause) => serialiseError(asError(cause), true, depth + 1));
  }
  return serialised;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
