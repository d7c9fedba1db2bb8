import { cleanLine, shorten } from '@hearth/addresses';

/** A client's description of itself, with the names of RFC 7591. */
export interface ClientMetadata {
  client_name?: unknown;
  redirect_uris?: unknown;
  application_type?: unknown;
  grant_types?: unknown;
  response_types?: unknown;
  token_endpoint_auth_method?: unknown;
  [name: string]: unknown;
}

const mostRedirects = 10;
const longestRedirect = 1_000;
const longestName = 80;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that belong to well-known programs. Others need one with a dot, a reversed domain name (RFC 8252, 7.1). */
const ownSchemes = new Set([
  'claude:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
]);

/** Ignored members, which the home would have to fetch or has no use for. */
const ignored = [
  'jwks',
  'jwks_uri',
  'sector_identifier_uri',
  'initiate_login_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'request_uris',
  'contacts',
  'default_acr_values',
  'default_max_age',
  'require_auth_time',
  'subject_type',
  'id_token_signed_response_alg',
  'scope',
];

/**
 * Normalizes a client's description in place: a program on a device becomes `native`, whatever it declares.
 *
 * @returns why it is refused, for RFC 7591's error_description; undefined if it is accepted
 */
export function settleClient(metadata: ClientMetadata): string | undefined {
  for (const name of ignored) delete metadata[name];
  const { redirect_uris: uris, client_name: name } = metadata;
  if (!Array.isArray(uris) || uris.length === 0) return 'redirect_uris must contain at least one address';
  if (uris.length > mostRedirects) return `redirect_uris must contain at most ${mostRedirects} addresses`;
  for (const uri of uris) {
    const wrong = wrongRedirect(uri);
    if (wrong !== undefined) return `redirect_uris ${wrong}`;
  }
  metadata['application_type'] = uris.some(isOnDevice) ? 'native' : 'web';
  if (name !== undefined) {
    const cleaned = typeof name === 'string' ? shorten(cleanLine(name), longestName) : '';
    if (cleaned === '') delete metadata['client_name'];
    else metadata['client_name'] = cleaned;
  }
  return undefined;
}

function wrongRedirect(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri.length > longestRedirect)
    return `must be addresses of at most ${longestRedirect} characters`;
  const url = URL.parse(uri);
  if (url === null || uri.includes('#')) return 'must be whole addresses without a fragment';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (!isTaken(url.protocol))
    return `must not use ${url.protocol} but https, or a scheme with a dot such as com.example.app:`;
  if (url.protocol === 'http:' && !loopback.has(url.hostname))
    return 'must be https, or http on the same device';
  if (url.protocol === 'https:' && loopback.has(url.hostname)) return 'on the same device must be http';
  return undefined;
}

/** Whether a scheme can belong to a program, which excludes everything that browsers handle themselves. */
function isTaken(protocol: string): boolean {
  return protocol === 'https:' || protocol === 'http:' || protocol.includes('.') || ownSchemes.has(protocol);
}

/** Whether answers go to a program on the person's own device: to a local port, or to a scheme of its own. */
function isOnDevice(uri: string): boolean {
  const { protocol } = new URL(uri);
  return protocol !== 'https:';
}

/** The destination of answers, as shown to people. */
export function answersTo(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return redirectUri;
  if (url.protocol === 'http:' && loopback.has(url.hostname)) return 'a program on this device';
  return url.protocol === 'https:' || url.protocol === 'http:'
    ? url.host
    : `the app of ${url.protocol.slice(0, -1)}`;
}
