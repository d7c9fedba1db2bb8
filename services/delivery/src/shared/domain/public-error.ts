/** Why an address failed, as the protocol names it: the complete list. */
export type PublicError =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

const closest: Readonly<Record<string, PublicError>> = {
  // The error must not tell whether a name resolved to a private address.
  refused_address: 'connection_refused',
  // Redirects are not followed, so they count as refusals.
  http_3xx: 'http_4xx',
  timeout: 'timeout',
  tls_error: 'tls_error',
  http_4xx: 'http_4xx',
  http_5xx: 'http_5xx',
  challenge_failed: 'challenge_failed',
};

export function publicError(error: string): PublicError {
  return closest[error] ?? 'connection_refused';
}
