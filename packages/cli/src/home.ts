import type { Deps } from './deps.ts';
import { Failure } from './failure.ts';
import type { OperatorKey } from './settings.ts';

/** A running home, as its operator calls it. */
export interface Home {
  /** Its origin. */
  site: string;
  /**
   * Calls an operation of the API; `path` begins behind the site.
   *
   * @throws Failure in the home's own words when it refuses, in ours when it cannot be reached
   */
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

const timeoutMs = 30_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param findKey looks for the operator's key; asked when it is first needed, and then each time */
export function createHome(
  site: string,
  findKey: () => OperatorKey,
  deps: Pick<Deps, 'fetch' | 'complain'>,
): Home {
  const { hostname, protocol } = new URL(site);
  const readable = protocol === 'http:' && !loopback.has(hostname);

  async function send(
    key: OperatorKey,
    method: string,
    path: string,
    body: object | undefined,
  ): Promise<Response> {
    if (readable)
      deps.complain(`Note: ${site} is not https, so whoever is in between can read the operator's key.`);
    try {
      return await deps.fetch(`${site}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key.text}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The key is for this home, not for a host to which it redirects.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw new Failure(unreachable(site, error));
    }
  }

  return {
    site,
    async call<Answer>(method: string, path: string, body?: object) {
      const key = findKey();
      const response = await send(key, method, path, body);
      const answer = await readAnswer(response, site);
      if (response.ok) return answer as Answer;
      if (response.status === 401) {
        throw new Failure(
          `the home at ${site} does not take this operator's key (from ${key.source}); is it the key of that home?`,
        );
      }
      throw new Failure(`the home refused (${response.status}): ${wordsOf(answer)}`);
    },
  };
}

async function readAnswer(response: Response, site: string): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(
      `${site} answered with status ${response.status} and something that no home says; is it the address of one?`,
    );
  }
}

function wordsOf(answer: unknown): string {
  const { error } = (answer ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : 'without a reason';
}

function unreachable(site: string, error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError')
    return `the home at ${site} did not answer within ${timeoutMs / 1_000} seconds`;
  const code = cause?.code === undefined ? '' : ` (${cause.code})`;
  return `no home answers at ${site}${code}; start it with npm start, or name another with --site`;
}
