import type { IncomingMessage } from 'node:http';
import { zoneNamed } from '@hearth/calendar/time-zone';

export interface CookieOptions {
  /** Sent over https alone. */
  secure: boolean;
  /** For how long the browser keeps it, in seconds; until it is closed when undefined. */
  maxAgeSeconds?: number;
}

/** Values of ours are tokens: letters, digits and the marks of base64url. */
const value = /^[A-Za-z0-9._~-]+$/;

/** The cookie of that name that the browser sent; the first one of several. Undefined for none, and for none of ours. */
export function readCookie(request: IncomingMessage, name: string, pattern = value): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    const text = pair.slice(equals + 1).trim();
    return pattern.test(text) ? text : undefined;
  }
  return undefined;
}

/**
 * The value of Set-Cookie. Scripts do not see the cookie, and other sites' forms do not carry it; a link from another
 * site does, or people would not be signed in where a program sends them.
 */
export function setCookie(name: string, text: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const kept = maxAgeSeconds === undefined ? '' : `; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`;
  return `${name}=${text}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${kept}`;
}

/** Under https the host alone can set a cookie of this name, for all of its paths. */
export function cookieName(name: string, { secure }: Pick<CookieOptions, 'secure'>): string {
  return secure ? `__Host-${name}` : name;
}

/** The zone that the script of our pages told of the browser; undefined where it told none. It is no secret, and proves nothing. */
export function browserZone(request: IncomingMessage): string | undefined {
  const zone = readCookie(request, 'hearth_zone', /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/);
  return zone === undefined ? undefined : (zoneNamed(zone) ?? undefined);
}
