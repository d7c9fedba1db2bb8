import { type ErrorDetails, HearthError } from './hearth-error.ts';

/** A field with an unacceptable value; `message` says what would be right. */
export function badField(
  field: string,
  message: string,
  details: Pick<ErrorDetails, 'range' | 'rule'> = {},
): HearthError {
  return new HearthError('bad_request', `${field}: ${message}`, { code: 'bad_field', field, ...details });
}

/** A request that can't be carried out as it stands. The code tells programs why; the message tells readers. */
export function badRequest(
  message: string,
  details: ErrorDetails & Required<Pick<ErrorDetails, 'code'>>,
): HearthError {
  return new HearthError('bad_request', message, details);
}

/** The same answer for things that are unknown, hidden or blocked, so that a caller can't tell them apart. */
export function notFound(): HearthError {
  return new HearthError('not_found', "not found, or you don't have access", { code: 'not_found' });
}

export function forbidden(message: string, details: ErrorDetails = {}): HearthError {
  return new HearthError('forbidden', message, { code: 'no_permission', ...details });
}

/** Forbidden for this caller: a person has to do it themselves. */
export function personNeeded(message: string, details: Pick<ErrorDetails, 'scopes'> = {}): HearthError {
  return forbidden(message, { code: 'needs_person', needsPerson: true, ...details });
}

export function unauthenticated(message: string): HearthError {
  return new HearthError('unauthenticated', message);
}

/**
 * Names the limit and when it resets.
 *
 * @param limit its name in GET /limits
 * @param left how many are left, if several were wanted at once
 */
export function rateLimited(limit: string, resetsAt: Date, left = 0): HearthError {
  const stands = left === 0 ? 'is used up' : `has only ${left} left, fewer than this takes,`;
  return new HearthError(
    'rate_limited',
    `too many requests: the limit ${limit} ${stands} and resets at ${resetsAt.toISOString()}`,
    { code: 'rate_limited', limit, resetsAt },
  );
}

export function unavailable(message: string, cause?: unknown): HearthError {
  return new HearthError('unavailable', message, { code: 'unavailable', cause });
}

/** For a local time without a known time zone. @param what "these times are", as the sentence continues */
export function timeZoneNeeded(what = 'these times are', field = 'time_zone'): HearthError {
  return badRequest(`${field}: say in which zone ${what} meant, by its IANA name: Europe/Zurich`, {
    code: 'time_zone_needed',
    field,
  });
}

export function internal(message: string, cause?: unknown): HearthError {
  return new HearthError('internal', message, { code: 'internal', cause });
}
