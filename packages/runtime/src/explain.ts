import { isHearthError } from '@hearth/errors';

/** The text for an operator: the sentence of an error that we know, the stack of one that we do not. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ConfigError') return error.message;
  if (isHearthError(error) && (error.kind !== 'internal' || error.cause === undefined)) return error.message;
  return error.cause instanceof Error
    ? `${error.message}\n${error.cause.stack}`
    : (error.stack ?? error.message);
}
