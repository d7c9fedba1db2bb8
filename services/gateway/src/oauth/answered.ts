import { isHearthError } from '@hearth/errors';
import { errors } from 'oidc-provider';

const passing: ReadonlySet<string> = new Set(['unavailable', 'deadline_exceeded', 'rate_limited']);

/** The answer of a service; while there is none, the program is told to try again, by the code of RFC 6749. */
export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!isHearthError(error) || !passing.has(error.kind)) throw error;
    const words = 'the home cannot answer at the moment; try again';
    const failure = new errors.CustomOIDCProviderError('temporarily_unavailable', words);
    throw Object.assign(failure, { status: 503, statusCode: 503, expose: true });
  }
}
