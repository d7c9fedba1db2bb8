import { checkAnswer } from './check-answer.ts';

/** A home's answer to a request. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export interface Reply<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A caller of the public API over HTTP, like any other program. */
export interface ApiClient {
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
}

/**
 * Checks answers of the shared home against its OpenAPI document.
 *
 * @param urls the gateways, used in turn so that nothing depends on one process
 * @param key the bearer credential
 */
export function apiClient(urls: readonly string[], key?: string): ApiClient {
  let turn = 0;
  const client: ApiClient = {
    async request(method, path, body, headers = {}) {
      turn += 1;
      const url = urls[turn % urls.length]!;
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
      const reply = {
        status: answer.status,
        headers: answer.headers,
        body: isJson ? JSON.parse(text) : text,
      };
      await checkAnswer(url, method, path, reply);
      return reply;
    },
    get: (path, headers) => client.request('GET', path, undefined, headers),
    post: (path, body = {}, headers) => client.request('POST', path, body, headers),
    put: (path, body = {}) => client.request('PUT', path, body),
    patch: (path, body = {}) => client.request('PATCH', path, body),
    delete: (path, body) => client.request('DELETE', path, body),
  };
  return client;
}

/** An AI that signed itself up, and a client with its key. */
export interface TestAi extends ApiClient {
  id: string;
  address: string;
  key: string;
  signUp: Reply;
}

export async function signUpAi(
  urls: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<TestAi> {
  const reply = await apiClient(urls).post('/v0/agents', { name: 'Robin', ...fields });
  if (reply.status !== 201)
    throw new Error(`sign-up answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  const { ai, address, connector_key: key } = reply.body;
  return { ...apiClient(urls, key), id: ai.id, address, key, signUp: reply };
}
