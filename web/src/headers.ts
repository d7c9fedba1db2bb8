/**
 * The Content-Security-Policy of a page: its own stylesheet and script, forms to this home, nothing else.
 * A browser holds the redirects that follow a form to the same rule: a page whose form ends at another site's
 * address (consent, and a sign-in on the way to it) names that address as `redirectUri`.
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

/** The headers of every page for people, names and values by turns: not framed, not kept, not told to anybody. */
export function pageHeaders(redirectUri?: string): string[] {
  return [...publicPageHeaders(redirectUri), ...['Cache-Control', 'no-store']];
}

/** The same without a word on keeping it, for a page that is the same for everybody. */
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

/** An origin, or for an app's own scheme the scheme alone; nothing that could end the directive. */
function sourceOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined;
  const { origin, protocol, hostname } = new URL(redirectUri);
  if (neverASource.includes(protocol)) return undefined;
  // A source cannot name an address of IPv6.
  const source = origin === 'null' || hostname.startsWith('[') ? protocol : origin;
  return /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.-]+(:\d+)?)?$/.test(source) ? source : undefined;
}
