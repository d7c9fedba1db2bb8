import { type ApiClient, apiClient, type StartedHome } from '@hearth/testkit/home';
import { expectStatus } from '../../support/home.ts';

/** A bearer key; of an app also the person for whom it acts. */
export interface Credential {
  key: string;
  as?: string;
}

export function clientOf(urls: readonly string[], { key, as }: Credential): ApiClient {
  const client = apiClient(urls, key);
  const acting: Record<string, string> = as === undefined ? {} : { 'svc-acting-for': as };
  const request: ApiClient['request'] = (method, path, body) => client.request(method, path, body, acting);
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body = {}) => request('POST', path, body),
    put: (path, body = {}) => request('PUT', path, body),
    patch: (path, body = {}) => request('PATCH', path, body),
    delete: (path, body) => request('DELETE', path, body),
  };
}

export interface Party extends ApiClient {
  id: string;
  address: string;
}

/** An app that holds people, children too. */
export async function newApp(
  { urls, operatorKey }: Pick<StartedHome, 'urls' | 'operatorKey'>,
  fields: object = {},
): Promise<{ key: string; newPerson(fields?: object): Promise<Party> }> {
  const asked = { name: 'Planner', contact_email: 'ops@planner.example', minors: true, ...fields };
  const made = await apiClient(urls, operatorKey).post('/v0/admin/apps', asked);
  const key = expectStatus(made, 201).body.app_key as string;
  return {
    key,
    async newPerson(given = { age_band: 'adult' }) {
      const person = { name: 'Ada Lovelace', ...given };
      const { id, address } = expectStatus(await apiClient(urls, key).post('/v0/people', person), 201).body;
      return { ...clientOf(urls, { key, as: id }), id, address };
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
