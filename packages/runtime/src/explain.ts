import { isHearthError } from '@hearth/errors';

/**
 * The text for an operator: for a known error its sentence with the message of the system or server behind it, or the
 * text of that cause; for an unknown error the stack.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ConfigError') return error.message;
  if (isHearthError(error) && (error.kind !== 'internal' || error.cause === undefined)) return error.message;
  if (!(error.cause instanceof Error)) return error.stack ?? error.message;
  const { cause } = error;
  const why = isFromOutside(cause) ? cause.message : explain(cause);
  return error.message.includes(why) ? error.message : `${error.message}\n${why}`;
}

/** Errors of the system and of servers carry a code; their stack tells an operator nothing. */
function isFromOutside(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string';
}
