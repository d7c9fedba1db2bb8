import type { IncomingMessage } from 'node:http';
import { forbidden } from '@hearth/errors';

/** The hosts that a request may be for, and the origins from which a browser may send one. */
export interface Guard {
  /**
   * Throws forbidden for a request to a host that this home is not, and for one that a page of elsewhere makes a
   * browser send: a name that was rebound to this machine gets no answer (DNS rebinding).
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
  const ownOrigins = new Set([site.origin, ...origins]);

  return {
    check({ headers }) {
      const { host = '', origin } = headers;
      const name = nameOf(host);
      if (!ownNames.has(name)) {
        throw forbidden(`this home is not at this host; use ${siteUrl}/mcp`);
      }
      // Whoever serves pages at this machine's own name and port is this home, whichever name the site has.
      const isOwn = ownOrigins.has(origin ?? '') || (loopback.includes(name) && origin === `http://${host}`);
      if (origin !== undefined && !isOwn) {
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
