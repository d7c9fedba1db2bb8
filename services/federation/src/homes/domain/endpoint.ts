import { isHomeName } from '@hearth/addresses';

/** Request sizes and rates that a home accepts. */
export interface EndpointLimits {
  maxRequest: number;
  maxItem: number;
  maxItems: number;
  maxAtOnce: number;
  requestsAMinute: number;
}

export interface Endpoint {
  /** Without a trailing slash. */
  endpoint: string;
  limits: EndpointLimits;
}

const version = '1';
const kib = 1_024;
const floors = {
  max_request: 64 * kib,
  max_item: 64 * kib,
  max_items: 1,
  max_at_once: 1,
  requests_a_minute: 60,
} as const;

/** Returns the origin that serves a home's document: plain http for a development home. */
export function originOf(home: string, devHomes: readonly string[]): string {
  return devHomes.includes(home) ? `http://${home}` : `https://${home}`;
}

/** Returns the endpoint from a home's document, or a sentence that says why it has none. */
export function readEndpoint(
  home: string,
  federation: unknown,
  devHomes: readonly string[],
): Endpoint | string {
  if (!isObject(federation)) return 'its document has no federation';
  const { endpoint, versions, mode, limits } = federation;
  if (mode === 'off') return 'it talks with no other homes (federation.mode is off)';
  if (!Array.isArray(versions) || !versions.includes(version))
    return `it does not speak version ${version} of the protocol (federation.versions)`;
  const found = typeof endpoint === 'string' ? readUrl(endpoint) : null;
  if (found === null) return 'federation.endpoint is no plain URL';
  const problem = placeProblem(found, home, devHomes);
  if (problem !== null) return problem;
  const given = isObject(limits) ? limits : {};
  const limit = (name: keyof typeof floors) => {
    const value = given[name];
    return Number.isSafeInteger(value) ? Math.max(value as number, floors[name]) : floors[name];
  };
  return {
    endpoint: found.href.replace(/\/$/, ''),
    limits: {
      maxRequest: limit('max_request'),
      maxItem: limit('max_item'),
      maxItems: limit('max_items'),
      maxAtOnce: limit('max_at_once'),
      requestsAMinute: limit('requests_a_minute'),
    },
  };
}

function readUrl(text: string): URL | null {
  const url = text.length <= 1_024 ? URL.parse(text) : null;
  // A signature covers the URL as text: a URL that is normalized before the request would never verify.
  const same = url !== null && (url.href === text || url.href === `${text}/`);
  const bare = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text);
  return same && bare ? url : null;
}

function placeProblem(url: URL, home: string, devHomes: readonly string[]): string | null {
  if (devHomes.includes(home))
    return url.origin === `http://${home}` ? null : `federation.endpoint must be at http://${home}`;
  if (url.protocol !== 'https:' || url.port !== '') return 'federation.endpoint must be https, at port 443';
  const below = url.hostname === home || url.hostname.endsWith(`.${home}`);
  return below && isHomeName(url.hostname) ? null : `federation.endpoint must be at ${home} or below it`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
