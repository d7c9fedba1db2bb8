import { isHearthError } from '@hearth/errors';

/**
 * The text for an operator: the sentence of an error that we know, with the words of the system or the server that is
 * its cause, or the text of that cause; the stack of an error that we do not know.
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

/** Errors of the system and of servers carry a code; where they were made tells an operator nothing. */
function isFromOutside(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string';
}
