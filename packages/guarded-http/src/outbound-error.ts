import { type ErrorKind, HearthError } from '@hearth/errors';

/**
 * The ways in which a request to another party's address can fail.
 * - `refused_address`: it may not be called, whoever asks: not https, user info, a private address
 * - `timeout`: its time was over
 * - `lookup`: its name could not be looked up now, which passes: no name server answered
 * - `connection`: unknown name, no server, closed, or no HTTP
 * - `tls`: no certificate that holds for its name
 * - `too_large`: the answer is larger than was asked for
 * - `cancelled`: whoever asked gave it up
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
 * The error that `GuardedHttp` throws: its message says what is wrong with the address or what happened there, and holds nothing
 * that the other side sent. Uncaught it is the fault of whoever chose the address (bad_request), or else `unavailable`.
 */
export class OutboundError extends HearthError {
  readonly category: OutboundCategory;
  /** The HTTP status, when an answer had begun. */
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
