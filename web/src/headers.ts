/**
 * The Content-Security-Policy of a page: its own stylesheet and script, forms to this home, nothing else.
 * Browsers apply it to redirects after a form too, so a page whose form ends at another site (consent, and a
 * sign-in on the way to it) names that address as `redirectUri`.
 */
export function contentSecurityPolicy(redirectUri?: string): string {
  const target = redirectUri === undefined ? undefined : sourceOf(redirectUri);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${target === undefined ? '' : ` ${target}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of every page for people, names and values alternately: no framing, no caching, no referrer. */
export function pageHeaders(redirectUri?: string): string[] {
  return [...publicPageHeaders(redirectUri), ...['Cache-Control', 'no-store']];
}

/** `pageHeaders` without Cache-Control, for a page that is the same for everyone. */
export function publicPageHeaders(redirectUri?: string): string[] {
  return [
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Content-Security-Policy', contentSecurityPolicy(redirectUri)],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['X-Frame-Options', 'DENY'],
  ];
}

const neverASource = ['javascript:', 'data:', 'blob:', 'filesystem:'];

/** An origin, or only the scheme for an app's own scheme; nothing that could end the directive. */
function sourceOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined;
  const { origin, protocol, hostname } = new URL(redirectUri);
  if (neverASource.includes(protocol)) return undefined;
  // CSP sources cannot contain IPv6 addresses.
  const source = origin === 'null' || hostname.startsWith('[') ? protocol : origin;
  return /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.-]+(:\d+)?)?$/.test(source) ? source : undefined;
}
