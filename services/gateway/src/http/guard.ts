import type { IncomingMessage } from 'node:http';
import { forbidden } from '@hearth/errors';
import { paths } from '@hearth/web';
import { hostOf, splitTarget } from './paths.ts';

/** The hosts that requests may be for, and the origins that browsers may send them from. */
export interface Guard {
  /**
   * Throws forbidden for an unknown host, which stops DNS rebinding, and for a changing request from a page
   * at another origin. Probes are accepted under any host.
   */
  check(request: IncomingMessage): void;
  /** The headers that let a page of this origin read the answer; none without an Origin header. */
  headersFor(request: IncomingMessage): string[];
}

export interface GuardOptions {
  siteUrl: string;
  /** Additional hostnames of the home. */
  hosts?: readonly string[];
  /** Other origins whose pages may call the API. */
  origins?: readonly string[];
}

/** Names that always mean this machine, so they cannot be rebound. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

export function createGuard({ siteUrl, hosts = [], origins = [] }: GuardOptions): Guard {
  const site = new URL(siteUrl);
  const ownNames = new Set([site.hostname, ...loopback, ...hosts]);
  const furtherNames = new Set([...loopback, ...hosts]);
  const ownOrigins = new Set([site.origin, ...origins]);

  return {
    check(request) {
      const { headers, method = '', url = '' } = request;
      const { origin } = headers;
      const host = hostOf(request);
      const { path } = splitTarget(url);
      if (probes.has(path)) return;
      const name = nameOf(host);
      if (!ownNames.has(name)) {
        throw forbidden(
          `this home is not at this host; use ${siteUrl}, or let the operator add the host (HEARTH_HOSTS)`,
        );
      }
      if (origin === undefined || (safe.has(method) && !isMcp(path))) return;
      // Our pages send no referrer, so browsers send the origin "null"; their forms prove their source with a
      // token.
      if (origin === 'null' && !isForPrograms(path)) return;
      // Pages at another of the home's names and ports are the home's own, whatever the site's name.
      const isOwn = ownOrigins.has(origin) || (furtherNames.has(name) && isAt(origin, host));
      if (!isOwn) {
        throw forbidden(
          'pages of this origin may not call here; the operator can allow it (HEARTH_MCP_ORIGINS)',
        );
      }
    },
    headersFor({ headers: { origin } }) {
      return origin !== undefined && ownOrigins.has(origin)
        ? ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed, 'Vary', 'Origin']
        : [];
    },
  };
}

/** Probes by those who run the home, at its machine's address; never refused. */
export const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/v0/health', '/v0/ready']);
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const isAt = (origin: string, host: string) => origin === `http://${host}` || origin === `https://${host}`;

const isMcp = (path: string) => path === paths.mcp || path === `${paths.mcp}/`;

const isForPrograms = (path: string) => path.startsWith('/v0/') || isMcp(path);

const exposed = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy';

/** The headers for a CORS preflight. */
export const preflightHeaders: readonly string[] = [
  'Access-Control-Allow-Methods',
  'POST',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Svc-Acting-For',
  'Access-Control-Max-Age',
  '7200',
];

/** The hostname in a Host header, without port; empty if malformed. */
function nameOf(host: string | undefined): string {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase() ?? '';
}
