import type { IncomingMessage } from 'node:http';
import { forbidden } from '@hearth/errors';
import { paths } from '@hearth/web';
import { hostOf, splitTarget } from './paths.ts';

/** The hosts that a request may be for, and the origins from which a browser may send one. */
export interface Guard {
  /**
   * Throws forbidden for a request to a host that this home is not, and for one that a page of elsewhere makes a
   * browser send to change something: a name that was rebound to this machine gets no answer (DNS rebinding). Probes
   * come under any address.
   */
  check(request: IncomingMessage): void;
  /** The headers that let a page of this origin read the answer; none for a request without Origin. */
  headersFor(request: IncomingMessage): string[];
}

export interface GuardOptions {
  siteUrl: string;
  /** Further names by which the home is called. */
  hosts?: readonly string[];
  /** Origins of pages elsewhere whose programs may call. */
  origins?: readonly string[];
}

/** Names of this machine itself cannot be rebound. */
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
      // Our pages send no referrer, and browsers then say no origin; their forms prove by a token where they come from.
      if (origin === 'null' && !isForPrograms(path)) return;
      // Whoever serves pages at another of the home's names and ports is this home, whichever name the site has.
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

/** Asked by those who keep the home running, at the address of its machine, whatever else is refused. */
export const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/v0/health', '/v0/ready']);
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const isAt = (origin: string, host: string) => origin === `http://${host}` || origin === `https://${host}`;

const isMcp = (path: string) => path === paths.mcp || path === `${paths.mcp}/`;

const isForPrograms = (path: string) => path.startsWith('/v0/') || isMcp(path);

const exposed = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy';

/** The answer to a browser that asks before it sends a request of a page (CORS). */
export const preflightHeaders: readonly string[] = [
  'Access-Control-Allow-Methods',
  'POST',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Svc-Acting-For',
  'Access-Control-Max-Age',
  '7200',
];

/** The name in a Host header, without its port; empty for what is none. */
function nameOf(host: string | undefined): string {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase() ?? '';
}
