import { isHearthError } from '@hearth/errors';
import { errors } from 'oidc-provider';

const passing: ReadonlySet<string> = new Set(['unavailable', 'deadline_exceeded', 'rate_limited']);

/** A service's answer; while the service is unavailable, an RFC 6749 error tells the program to try again. */
export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!isHearthError(error) || !passing.has(error.kind)) throw error;
    throw notNow('the home cannot answer at the moment; try again');
  }
}

/** The error that tells a program to try again. */
export function notNow(words: string): Error {
  const failure = new errors.CustomOIDCProviderError('temporarily_unavailable', words);
  return Object.assign(failure, { status: 503, statusCode: 503, expose: true });
}
