import { errorKinds, type HearthError } from '@hearth/errors';
import type { HeaderList } from './send.ts';

/** What every failed request is answered with. */
export interface ErrorAnswer {
  status: number;
  body: string;
  headers: HeaderList;
}

export interface ErrorSurroundings {
  /** The home's name, which the challenge of a 401 carries. */
  home: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the request carried a credential: the challenge then says that it was not taken (RFC 6750). */
  hadCredential: boolean;
}

const retryUnavailableSeconds = 1;

/** An error as the body {error}, with what else the caller can act on. */
export function errorAnswer(error: HearthError, around: ErrorSurroundings): ErrorAnswer {
  const { code, field, needsPerson, limit, resetsAt } = error.details;
  const body = JSON.stringify({
    error: error.message,
    code,
    field,
    needs_person: needsPerson || undefined,
    limit,
    resets_at: resetsAt?.toISOString(),
  });
  return { status: errorKinds[error.kind].http, body, headers: headersOf(error, around) };
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

function challenge({ home, hadCredential }: ErrorSurroundings): string {
  const failed = hadCredential ? ', error="invalid_token"' : '';
  return `Bearer realm="${home}"${failed}`;
}

function scopeChallenge({ home }: ErrorSurroundings, scopes: readonly string[]): string {
  return `Bearer realm="${home}", error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

function secondsUntil(time: Date | undefined, now: number): number {
  return time === undefined ? 1 : Math.max(1, Math.ceil((time.getTime() - now) / 1_000));
}
