import { errorKinds, type HearthError } from '@hearth/errors';
import type { HeaderList } from './send.ts';

/** The answer to a failed request. */
export interface ErrorAnswer {
  status: number;
  body: string;
  headers: HeaderList;
}

export interface ErrorContext {
  /** The URL of the home's OAuth metadata (RFC 9728). */
  resourceMetadata: string;
  /** The scopes that the operation needs. */
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the request had a credential; the challenge then says that it was refused (RFC 6750). */
  hadCredential: boolean;
}

const retryUnavailableSeconds = 1;

/** An error as shown to callers: its message, and details that they can act on. Absent members are undefined. */
export function errorBody(error: HearthError) {
  const { code, field, needsPerson, limit, resetsAt, readings, free } = error.details;
  return {
    error: error.message,
    code,
    field,
    needs_person: needsPerson || undefined,
    limit,
    resets_at: resetsAt?.toISOString(),
    readings,
    free,
  };
}

/** The status of an error, and its headers. */
export function errorHead(error: HearthError, context: ErrorContext): Omit<ErrorAnswer, 'body'> {
  return { status: errorKinds[error.kind].http, headers: headersOf(error, context) };
}

/** An error as an API response. */
export function errorAnswer(error: HearthError, context: ErrorContext): ErrorAnswer {
  return { ...errorHead(error, context), body: JSON.stringify(errorBody(error)) };
}

function headersOf(error: HearthError, context: ErrorContext): HeaderList {
  const { allow, resetsAt, scopes } = error.details;
  switch (error.kind) {
    case 'unauthenticated':
      return ['WWW-Authenticate', challenge(context)];
    case 'forbidden':
      return scopes === undefined ? [] : ['WWW-Authenticate', scopeChallenge(context, scopes)];
    case 'method_not_allowed':
      return ['Allow', (allow ?? []).join(', ')];
    case 'rate_limited':
      return ['Retry-After', String(secondsUntil(resetsAt, context.now))];
    case 'unavailable':
    case 'deadline_exceeded':
      return ['Retry-After', String(retryUnavailableSeconds)];
    default:
      return [];
  }
}

function challenge({ hadCredential, ...context }: ErrorContext): string {
  return bearer(hadCredential ? 'invalid_token' : undefined, context.scopes, context);
}

function scopeChallenge(context: ErrorContext, scopes: readonly string[]): string {
  return bearer('insufficient_scope', scopes, context);
}

/** A challenge (RFC 6750) that tells the client where to sign in. */
function bearer(
  error: string | undefined,
  scopes: readonly string[],
  { resourceMetadata }: Pick<ErrorContext, 'resourceMetadata'>,
): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${resourceMetadata}"`,
  ];
  return `Bearer ${parameters.join(', ')}`;
}

/** Whole seconds until then, at least 1. */
export function secondsUntil(time: Date | undefined, now: number): number {
  return time === undefined ? 1 : Math.max(1, Math.ceil((time.getTime() - now) / 1_000));
}
