import { badField, badRequest } from '@hearth/errors';
import { type Scope, scopes } from '@hearth/web';

/** The resources that a token may be for: the whole home, its API, or its MCP endpoint (RFC 8707). */
export interface Resources {
  /** The default audience, for a client that names no resource. */
  usual: string;
  /** The audience of a token for that resource; undefined if it is not this home's. */
  audienceOf(resource: string): string | undefined;
  /** The granted resource with the same meaning as the requested one; undefined if there is none. */
  among(granted: readonly string[], asked: unknown): string | undefined;
}

export function createResources(siteUrl: string): Resources {
  const known = new Map([
    [siteUrl, siteUrl],
    // URL parsers add the slash to an address without a path.
    [`${siteUrl}/`, siteUrl],
    ...['/v0', '/mcp'].flatMap((path) => [
      [`${siteUrl}${path}`, `${siteUrl}${path}`] as const,
      [`${siteUrl}${path}/`, `${siteUrl}${path}`] as const,
    ]),
  ]);
  const audienceOf = (resource: string) => known.get(withPlainOrigin(resource));
  return {
    usual: `${siteUrl}/v0`,
    audienceOf,
    among(granted, asked) {
      // Two spellings of the same resource count once.
      const [audience, second] = new Set([asked].flat().map((resource) => audienceOf(String(resource))));
      if (audience === undefined || second !== undefined) return undefined;
      return granted.find((resource) => audienceOf(resource) === audience);
    },
  };
}

/** Normalizes scheme, host and default port (RFC 3986, section 6.2). */
function withPlainOrigin(resource: string): string {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#@]+)(.*)$/is.exec(resource) ?? [];
  return URL.canParse(origin) ? `${new URL(origin).origin}${rest}` : resource;
}

/** The scopes of a client that requests none, like an AI whose owner chose none. */
const usualScope: readonly Scope[] = ['read', 'message'];

/** The known scopes that a client requested; the usual ones if it named none. */
export function scopesAsked(scope: string | undefined): Scope[] {
  const words = (scope ?? '').split(' ').filter((word) => word !== '');
  const asked = words.length === 0 ? usualScope : words;
  return scopes.filter((each) => asked.includes(each));
}

/** The parts of a scope that this home knows, including "offline_access". */
export function scopesNamed(scope: string): string[] {
  const words = new Set(scope.split(' '));
  return [...scopes, 'offline_access'].filter((each) => words.has(each));
}

/** OAuth's own parameters. OpenID Connect parameters are dropped, as RFC 6749 requires for unknown ones. */
const known = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'response_mode',
]);

/** Bounds, because the request of any program is stored for an hour and returned in a redirect. */
const longestState = 2_048;
const longestQuery = 8_192;

/**
 * The query of an authorization request, cleaned up for the authorization server. Throws bad_request if it is
 * too long to store.
 */
export function cleanQuery(query: string, { audienceOf }: Pick<Resources, 'audienceOf'>): string {
  const given = new URLSearchParams(query);
  if (given.getAll('state').some((state) => Buffer.byteLength(state) > longestState))
    throw badField('state', `must have at most ${longestState} bytes`);
  if (query.length > longestQuery)
    throw badRequest(`the request to sign in must have at most ${longestQuery} characters`, {
      code: 'bad_field',
    });
  const kept = new URLSearchParams();
  for (const [name, value] of given) {
    // Each resource gets one spelling; otherwise a client would have to choose between two.
    const plain = name === 'resource' ? (audienceOf(value) ?? value) : value;
    if (known.has(name) && !(name === 'resource' && kept.has(name, plain))) kept.append(name, plain);
  }
  const scopesGiven = kept.getAll('scope');
  if (scopesGiven.length > 1) return kept.toString();
  const words = (scopesGiven[0] ?? '').split(' ').filter((word) => word !== '' && word !== 'openid');
  kept.set('scope', words.length === 0 ? usualScope.join(' ') : words.join(' '));
  return kept.toString();
}
