import type { IncomingMessage } from 'node:http';
import { zoneNamed } from '@hearth/calendar/time-zone';

export interface CookieOptions {
  /** Sent only over https. */
  secure: boolean;
  /** How long the browser keeps it, in seconds; undefined: until it is closed. */
  maxAgeSeconds?: number;
}

/** Our values are tokens: letters, digits and base64url punctuation. */
const value = /^[A-Za-z0-9._~-]+$/;

/** The cookie's value; the first if there are several. Undefined if it is missing or is not one of ours. */
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
 * The value of Set-Cookie. Hidden from scripts and not sent with other sites' forms, but sent with their
 * links: otherwise people would not be signed in after following a program's link.
 */
export function setCookie(name: string, text: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const kept = maxAgeSeconds === undefined ? '' : `; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`;
  return `${name}=${text}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${kept}`;
}

/** The `__Host-` prefix under https: only the host itself can set such a cookie, and only for all its paths. */
export function cookieName(name: string, { secure }: Pick<CookieOptions, 'secure'>): string {
  return secure ? `__Host-${name}` : name;
}

/** The time zone that our script reported for the browser; undefined if none. Unverified, and no secret. */
export function browserZone(request: IncomingMessage): string | undefined {
  const zone = readCookie(request, 'hearth_zone', /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/);
  return zone === undefined ? undefined : (zoneNamed(zone) ?? undefined);
}
