import { type ErrorKind, HearthError } from '@hearth/errors';

/**
 * How a request to another party's URL can fail.
 * - `refused_address`: it may never be called: not https, user info, a private address
 * - `timeout`: it took too long
 * - `lookup`: a transient DNS failure: no name server answered
 * - `connection`: unknown name, no server, connection closed, or not HTTP
 * - `tls`: no certificate valid for the name
 * - `too_large`: the answer exceeds the limit
 * - `cancelled`: the caller aborted it
 */
export type OutboundCategory =
  | 'refused_address'
  | 'timeout'
  | 'lookup'
  | 'connection'
  | 'tls'
  | 'too_large'
  | 'cancelled';

/**
 * The error thrown by `GuardedHttp`. Its message says what is wrong with the URL or what happened there, and
 * contains nothing that the other side sent. Uncaught, it is the fault of whoever chose the URL
 * (bad_request), or else `unavailable`.
 */
export class OutboundError extends HearthError {
  readonly category: OutboundCategory;
  /** The HTTP status, if an answer had begun. */
  readonly status: number | undefined;

  constructor(
    category: OutboundCategory,
    message: string,
    details: { cause?: unknown; status?: number } = {},
  ) {
    const kind: ErrorKind = category === 'refused_address' ? 'bad_request' : 'unavailable';
    super(kind, message, {
      code: category === 'refused_address' ? 'bad_field' : 'unavailable',
      cause: details.cause,
    });
    this.category = category;
    this.status = details.status;
  }
}
