import { errorKinds, type HearthError } from '@hearth/errors';
import type { HeaderList } from './send.ts';

/** What every failed request is answered with. */
export interface ErrorAnswer {
  status: number;
  body: string;
  headers: HeaderList;
}

export interface ErrorSurroundings {
  /** Where the home's OAuth metadata stands (RFC 9728). */
  resourceMetadata: string;
  /** The scopes that the operation needs. */
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the request carried a credential: the challenge then says that it was not taken (RFC 6750). */
  hadCredential: boolean;
}

const retryUnavailableSeconds = 1;

/** An error as it is shown: its words, and what else the caller can act on. Members that it has not are undefined. */
export function errorBody(error: HearthError) {
  const { code, field, needsPerson, limit, resetsAt } = error.details;
  return {
    error: error.message,
    code,
    field,
    needs_person: needsPerson || undefined,
    limit,
    resets_at: resetsAt?.toISOString(),
  };
}

/** The status of an error and the headers that go with it. */
export function errorHead(error: HearthError, around: ErrorSurroundings): Omit<ErrorAnswer, 'body'> {
  return { status: errorKinds[error.kind].http, headers: headersOf(error, around) };
}

/** An error as the answer to a request of the API. */
export function errorAnswer(error: HearthError, around: ErrorSurroundings): ErrorAnswer {
  return { ...errorHead(error, around), body: JSON.stringify(errorBody(error)) };
}

function headersOf(error: HearthError, around: ErrorSurroundings): HeaderList {
  const { allow, resetsAt, scopes } = error.details;
  switch (error.kind) {
    case 'unauthenticated':
      return ['WWW-Authenticate', challenge(around)];
    case 'forbidden':
      return scopes === undefined ? [] : ['WWW-Authenticate', scopeChallenge(around, scopes)];
    case 'method_not_allowed':
      return ['Allow', (allow ?? []).join(', ')];
    case 'rate_limited':
      return ['Retry-After', String(secondsUntil(resetsAt, around.now))];
    case 'unavailable':
    case 'deadline_exceeded':
      return ['Retry-After', String(retryUnavailableSeconds)];
    default:
      return [];
  }
}

function challenge({ hadCredential, ...around }: ErrorSurroundings): string {
  return bearer(hadCredential ? 'invalid_token' : undefined, around.scopes, around);
}

function scopeChallenge(around: ErrorSurroundings, scopes: readonly string[]): string {
  return bearer('insufficient_scope', scopes, around);
}

/** A challenge (RFC 6750) that leads a client to where it signs in. */
function bearer(
  error: string | undefined,
  scopes: readonly string[],
  { resourceMetadata }: Pick<ErrorSurroundings, 'resourceMetadata'>,
): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${resourceMetadata}"`,
  ];
  return `Bearer ${parameters.join(', ')}`;
}

function secondsUntil(time: Date | undefined, now: number): number {
  return time === undefined ? 1 : Math.max(1, Math.ceil((time.getTime() - now) / 1_000));
}
