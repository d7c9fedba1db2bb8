import { type ApiClient, apiClient, type StartedHome } from '@hearth/testkit/home';
import { expectStatus } from './home.ts';

/** A bearer key; for an app also the person it acts for. */
export interface Credential {
  key: string;
  as?: string;
}

export function clientOf(urls: readonly string[], { key, as }: Credential): ApiClient {
  const client = apiClient(urls, key);
  return as === undefined ? client : actingFor(client, as);
}

/** The client's app, acting for a person or AI that it holds. */
export const actingFor = (app: ApiClient, id: string): ApiClient =>
  withHeaders(app, { 'svc-acting-for': id });

/** The same client with additional headers on every request. */
export function withHeaders(client: ApiClient, headers: Record<string, string>): ApiClient {
  const request: ApiClient['request'] = (method, path, body, more = {}) =>
    client.request(method, path, body, { ...headers, ...more });
  return {
    request,
    get: (path, more) => request('GET', path, undefined, more),
    post: (path, body = {}, more) => request('POST', path, body, more),
    put: (path, body = {}) => request('PUT', path, body),
    patch: (path, body = {}) => request('PATCH', path, body),
    delete: (path, body) => request('DELETE', path, body),
  };
}

export interface Party extends ApiClient {
  id: string;
  address: string;
}

/** An app that may hold people, including children. */
export async function newApp(
  { urls, operatorKey }: Pick<StartedHome, 'urls' | 'operatorKey'>,
  fields: object = {},
): Promise<ApiClient & { key: string; newPerson(fields?: object): Promise<Party> }> {
  const asked = { name: 'Planner', contact_email: 'ops@planner.example', minors: true, ...fields };
  const made = await apiClient(urls, operatorKey).post('/v0/admin/apps', asked);
  const key = expectStatus(made, 201).body.app_key as string;
  const app = apiClient(urls, key);
  return {
    ...app,
    key,
    async newPerson(given = { age_band: 'adult' }) {
      const person = { name: 'Ada Lovelace', ...given };
      const { id, address } = expectStatus(await app.post('/v0/people', person), 201).body;
      return { ...actingFor(app, id), id, address };
    },
  };
}

export async function newAi(
  urls: readonly string[],
  owner: ApiClient,
  permissions: readonly string[] = ['read', 'message'],
): Promise<Party> {
  const { ai, connector_key: key } = expectStatus(
    await owner.post('/v0/ais', { name: 'Helper', permissions }),
    201,
  ).body;
  return { ...apiClient(urls, key), id: ai.id, address: ai.address };
}
