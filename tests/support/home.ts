import {
  type ApiClient,
  apiClient,
  type Reply,
  sharedHome,
  signUpAi,
  type TestAi,
} from '@hearth/testkit/home';

/** The gateways of the home that all acceptance tests share. */
export const urls = (): string[] => sharedHome().urls;

/** The test's own AI. */
export const newAi = (fields: Record<string, unknown> = {}): Promise<TestAi> => signUpAi(urls(), fields);

export function newAis(count: number): Promise<TestAi[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => newAi({ name: `Robin ${index + 1}` })));
}

/** A caller without a key. */
export const anonymous = (): ApiClient => apiClient(urls());

/** A client per gateway, for what must hold on all of them. */
export function atEachGateway(key?: string): ApiClient[] {
  return urls().map((url) => apiClient([url], key));
}

export type Parameters = Record<string, string | number | boolean | null | undefined>;

/** Builds a path's query from its parameters; leaves out null and undefined. */
export function query(parameters: Parameters): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) given.append(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

/** Fails with the home's answer if the status differs. */
export function expectStatus(reply: Reply, ...statuses: number[]): Reply {
  if (statuses.includes(reply.status)) return reply;
  throw new Error(`expected ${statuses.join(' or ')}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** A raw request to the first gateway: for headers and bodies that a client library would correct. */
export function raw(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${urls()[0]}${path}`, {
    ...init,
    headers: {
      ...(init.body != null && { 'content-type': 'application/json' }),
      ...(init.headers as object),
    },
  });
}
