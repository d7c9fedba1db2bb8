/** Why an address failed, in the words of the protocol: these and no others. */
export type PublicError =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

const closest: Readonly<Record<string, PublicError>> = {
  // An answer does not tell whether a name led to a private address.
  refused_address: 'connection_refused',
  // Nothing is followed: a redirect is as good as a refusal.
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
