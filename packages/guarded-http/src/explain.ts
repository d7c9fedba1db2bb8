import { type HearthError, internal } from '@hearth/errors';
import { OutboundError } from './outbound-error.ts';
import { isNoSuchName } from './resolver.ts';

const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$|INVALID_CA)/;
const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const tooLargeCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Converts the error of a failed request, whichever layer failed. */
export function explain(error: unknown, host: string, status?: number): HearthError {
  if (error instanceof OutboundError) return error;
  const details = { cause: error, ...(status === undefined ? {} : { status }) };
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') return internal('a request cannot be sent as it was made', error);
  if (timeoutCodes.has(code)) return new OutboundError('timeout', `${host} took too long`, details);
  if (tooLargeCodes.has(code))
    return new OutboundError('too_large', `the headers of ${host} are too large`, details);
  if (tlsCodes.test(code))
    return new OutboundError('tls', `${host} has no certificate that holds for its name (${code})`, details);
  if (isNoSuchName({ code }))
    return new OutboundError('connection', `the name ${host} could not be resolved (${code})`, details);
  return new OutboundError(
    'connection',
    `the connection to ${host} failed${code === '' ? '' : ` (${code})`}`,
    details,
  );
}

/** The first known code among the errors of several addresses. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors)) return errors.map(codeOf).find((found) => found !== '') ?? '';
  return '';
}
