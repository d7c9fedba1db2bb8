import { type AnswerOf, connect, HomeError, type InputOf, type OperationName } from '@hearth/sdk';
import type { Deps } from './deps.ts';
import { Failure } from './failure.ts';
import type { OperatorKey } from './settings.ts';

/** A running home, as its operator calls it. */
export interface Home {
  /** The home's origin. */
  site: string;
  /**
   * Calls an operation of the API.
   *
   * @throws Failure with the home's own message if it refuses, or our own if it can't be reached
   */
  call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>>;
}

const timeoutMs = 30_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param findKey finds the operator's key; called for each request that needs it */
export function createHome(
  site: string,
  findKey: () => OperatorKey,
  { fetch, complain }: Pick<Deps, 'fetch' | 'complain'>,
): Home {
  const { hostname, protocol } = new URL(site);
  const readable = protocol === 'http:' && !loopback.has(hostname);

  function failureOf(error: unknown, key: OperatorKey): Failure {
    if (!(error instanceof HomeError)) return new Failure(unreachable(site, error as Error));
    const { message, refusal, status } = error;
    if (refusal === undefined) return new Failure(message);
    if (status === 401)
      return new Failure(
        `the home at ${site} rejected the operator key from ${key.source}; is it the key of this home?`,
      );
    return new Failure(`request refused (${status}): ${message}`);
  }

  return {
    site,
    async call<Name extends OperationName>(name: Name, input: InputOf<Name>) {
      const key = findKey();
      if (readable)
        complain(`Warning: ${site} doesn't use https, so the operator key can be intercepted on the way.`);
      const operation = connect({ url: site, key: key.text, fetch, retries: 0, timeoutMs })[name];
      try {
        return await (operation as (input: InputOf<Name>) => Promise<AnswerOf<Name>>)(input);
      } catch (error) {
        throw failureOf(error, key);
      }
    },
  };
}

function unreachable(site: string, { name, message, cause }: Error): string {
  if (name === 'TimeoutError')
    return `the home at ${site} did not answer within ${timeoutMs / 1_000} seconds`;
  const { code } = (cause ?? {}) as { code?: string };
  if (cause === undefined) return message;
  return `no home is running at ${site}${code === undefined ? '' : ` (${code})`}; start it with npm start, or set its URL with --site`;
}
