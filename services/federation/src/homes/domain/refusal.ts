/** A refusal that depends on a home's document, with its error code of docs/protocol/requests.md. */
export interface KeyRefusal {
  refused: true;
  status: 401 | 403 | 429;
  code: 'unknown_key' | 'key_change' | 'denied' | 'too_many';
  /** One sentence. */
  error: string;
  /** Only with status 429. */
  retryAfterSeconds?: number;
}

/** Why nothing can be sent to a home now, in the API's terms. */
export interface ReachRefusal {
  refused: true;
  status: 400 | 403 | 503;
  code: 'bad_home' | 'home_denied' | 'home_unreachable';
  error: string;
  /** The home was not asked, because too many others are being asked now. */
  busy?: true;
}

export const unknownKey = (error: string): KeyRefusal => ({
  refused: true,
  status: 401,
  code: 'unknown_key',
  error,
});

export const keyChange = (home: string): KeyRefusal => ({
  refused: true,
  status: 401,
  code: 'key_change',
  error: `${home} has a document that none of its known keys signed; it waits for a word of this home's operator, or 7 days`,
});

export const denied = (): KeyRefusal => ({
  refused: true,
  status: 403,
  code: 'denied',
  error: 'this home does not talk with yours',
});

export const unreachable = (home: string, why: string): ReachRefusal => ({
  refused: true,
  status: 503,
  code: 'home_unreachable',
  error: `${home} cannot be reached now: ${why}`,
});

export const tooMany = (): KeyRefusal => ({
  refused: true,
  status: 429,
  code: 'too_many',
  error: 'too many homes that this one has never seen ask at once',
  retryAfterSeconds: 60,
});

export const refusedToReach = (code: 'bad_home' | 'home_denied', error: string): ReachRefusal => ({
  refused: true,
  status: code === 'bad_home' ? 400 : 403,
  code,
  error,
});
